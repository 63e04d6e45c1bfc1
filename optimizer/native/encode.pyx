# cython: language_level=3
# distutils: language = c++
"""Solutions as bytes of their protobuf messages, without the messages.

To make a message of Python's and to write it takes several times as long. What is written here is what
:func:`optimizer.service.convert.solution.write_solution` would write: the two are tested against each other.

Messages are written from their end to their beginning, so that the length of each part is known when it is
needed; fields and items come in the reverse of their order.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memcpy

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL
    long long PyLong_AsLongLongAndOverflow(object value, int* overflow) except? -1

cdef enum:
    VARINT = 0
    FIXED64 = 1
    BYTES = 2
    MOST_VARINT = 10    # bytes that a number may take
    FIRST_SIZE = 4000   # most answers need less

cdef long long LEAST_32 = -(1LL << 31), MOST_32 = (1LL << 31) - 1
cdef long long MOST_64 = 0x7FFFFFFFFFFFFFFF
cdef long long LEAST_64 = -MOST_64 - 1

# Numbers of fields, as solve.proto and google/protobuf/struct.proto have them.
cdef enum:
    LIST_VALUES = 1
    VALUE_STRING = 3

cdef enum:
    ROUTE_TRAIN = 1
    ROUTE_CONNECTIONS = 2
    ROUTE_HEXES = 3
    ROUTE_NODES = 4
    ROUTE_REVENUE = 5
    ROUTE_REVENUE_STR = 6

cdef enum:
    SET_REVENUE = 1
    SET_ROUTES = 2

cdef enum:
    SOLUTION_COMPANY = 2
    SOLUTION_REVENUE = 3
    SOLUTION_BOUND = 4
    SOLUTION_PROVEN = 5
    SOLUTION_LIMIT = 6
    SOLUTION_CUTOFF = 7
    SOLUTION_BETTER = 8
    SOLUTION_COMPILE_SECONDS = 9
    SOLUTION_SEARCH_SECONDS = 10
    SOLUTION_CHECK_SECONDS = 11
    SOLUTION_SECONDS = 12
    SOLUTION_NODES = 13
    SOLUTION_ROUTES = 14
    SOLUTION_BREAKDOWN = 15
    SOLUTION_ALTERNATIVES = 16
    SOLUTION_BONUSES = 17

cdef enum:
    STOP_STOP = 1
    STOP_VALUE = 2
    STOP_AMOUNT = 3
    STOP_MULTIPLIER = 4
    STOP_PENALTY = 5
    STOP_FACTOR = 6
    STOP_COUNTED = 7
    STOP_PAID = 8

cdef enum:
    BONUS_NAME = 1
    BONUS_AMOUNT = 2

cdef enum:
    FAULT_RULE = 1
    FAULT_MESSAGE = 2
    FAULT_ROUTE = 3
    FAULT_TRAIN = 4
    FAULT_HEX = 5
    FAULT_SIDE = 6
    FAULT_STOP = 7

cdef enum:
    JUDGED_TRAIN = 1
    JUDGED_REVENUE = 2
    JUDGED_REVENUE_STR = 3
    JUDGED_STOPS = 4
    JUDGED_BONUSES = 5
    JUDGED_FAULTS = 6


cdef long long whole(object value, long long least, long long most) except? -1:
    """Return a whole number; ValueError if it is not within the bounds, as protobuf has it."""
    cdef int overflow = 0
    cdef long long found = PyLong_AsLongLongAndOverflow(value, &overflow)
    if overflow or not least <= found <= most:
        raise ValueError("value out of range")
    return found


cdef inline tuple items(object values):
    return <tuple>values if type(values) is tuple else tuple(values)


cdef class Writer:
    """Bytes that grow to the front."""

    cdef unsigned char* data
    cdef Py_ssize_t size
    cdef Py_ssize_t begin  # what was written is data[begin:size]

    def __cinit__(self):
        self.data = <unsigned char*>PyMem_Malloc(FIRST_SIZE)
        if self.data == NULL:
            raise MemoryError
        self.size = self.begin = FIRST_SIZE

    def __dealloc__(self):
        PyMem_Free(self.data)

    cdef inline Py_ssize_t written(self) noexcept:
        return self.size - self.begin

    cdef inline int need(self, Py_ssize_t count) except -1:
        """Make room for so many bytes."""
        if count <= self.begin:
            return 0
        return self.grow(count)

    cdef int grow(self, Py_ssize_t count) except -1:
        cdef Py_ssize_t used = self.size - self.begin, size = 2 * self.size + count
        cdef unsigned char* data = <unsigned char*>PyMem_Malloc(size)
        if data == NULL:
            raise MemoryError
        memcpy(data + size - used, self.data + self.begin, used)
        PyMem_Free(self.data)
        self.data, self.size, self.begin = data, size, size - used
        return 0

    cdef inline int varint(self, unsigned long long value) except -1:
        cdef unsigned long long rest = value >> 7
        cdef Py_ssize_t place
        self.need(MOST_VARINT)
        self.begin -= 1
        while rest:
            self.begin -= 1
            rest >>= 7
        place = self.begin
        while value > 0x7F:
            self.data[place] = <unsigned char>(value & 0x7F | 0x80)
            value >>= 7
            place += 1
        self.data[place] = <unsigned char>value
        return 0

    cdef inline int tag(self, int number, int kind) except -1:
        return self.varint(<unsigned long long>(number << 3 | kind))

    cdef inline int raw(self, const char* data, Py_ssize_t size) except -1:
        self.need(size)
        self.begin -= size
        memcpy(self.data + self.begin, data, size)
        return 0

    cdef inline int close(self, int number, Py_ssize_t before) except -1:
        """Make a field of all that was written since there were ``before`` bytes."""
        self.varint(<unsigned long long>(self.written() - before))
        return self.tag(number, BYTES)

    cdef inline int number(self, int number, long long value) except -1:
        """Write a number that is there even if it is 0."""
        self.varint(<unsigned long long>value)
        return self.tag(number, VARINT)

    cdef inline int figure(self, int number, object value) except -1:
        """Write a number of 32 bits."""
        cdef long long found = whole(value, LEAST_32, MOST_32)
        return self.number(number, found) if found else 0

    cdef inline int flag(self, int number, object value) except -1:
        return self.number(number, 1) if value else 0

    cdef inline int real(self, int number, double value) except -1:
        cdef unsigned long long bits
        memcpy(&bits, &value, 8)
        if not bits:
            return 0
        self.raw(<const char*>&value, 8)  # little-endian, as are all machines that this is built for
        return self.tag(number, FIXED64)

    cdef inline int item(self, int number, object text) except -1:
        """Write a text that is there even if it is empty."""
        cdef Py_ssize_t size
        cdef const char* data
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is no text")
        data = PyUnicode_AsUTF8AndSize(text, &size)
        self.raw(data, size)
        self.varint(<unsigned long long>size)
        return self.tag(number, BYTES)

    cdef inline int text(self, int number, object text) except -1:
        return self.item(number, text) if text != "" else 0

    cdef inline int signature(self, int number, object hex_id, object part) except -1:
        """Write a stop as ``<hex>-<part>``."""
        cdef Py_ssize_t before = self.written(), size
        cdef const char* data
        cdef char end[2]
        cdef long digit = -1
        if type(part) is int and 0 <= part <= 9:
            digit = part
        if digit < 0 or not isinstance(hex_id, str):
            return self.item(number, f"{hex_id}-{part}")
        end[0], end[1] = b"-", <char>(48 + digit)  # 48: the digit 0
        self.raw(end, 2)
        data = PyUnicode_AsUTF8AndSize(hex_id, &size)
        self.raw(data, size)
        return self.close(number, before)

    cdef bytes result(self):
        return PyBytes_FromStringAndSize(<const char*>self.data + self.begin, self.written())


cdef int write_chain(Writer out, object chain) except -1:
    cdef Py_ssize_t whole_chain = out.written(), before, i
    cdef tuple hexes = items(chain)
    for i in range(len(hexes) - 1, -1, -1):
        before = out.written()
        out.item(VALUE_STRING, hexes[i])  # the text is one of several kinds of value: there if empty, too
        out.close(LIST_VALUES, before)
    return out.close(ROUTE_CONNECTIONS, whole_chain)


cdef int write_route(Writer out, int number, object route) except -1:
    cdef Py_ssize_t before = out.written(), i
    cdef tuple chains = items(route.connections), stops = items(route.stops)
    out.text(ROUTE_REVENUE_STR, route.revenue_str)
    out.figure(ROUTE_REVENUE, route.revenue)
    for i in range(len(stops) - 1, -1, -1):
        hex_id, part = stops[i]
        out.signature(ROUTE_NODES, hex_id, part)
    for i in range(len(stops) - 1, -1, -1):
        hex_id, part = stops[i]
        out.item(ROUTE_HEXES, hex_id)
    for i in range(len(chains) - 1, -1, -1):
        write_chain(out, chains[i])
    out.text(ROUTE_TRAIN, route.train)
    return out.close(number, before)


cdef int write_routes(Writer out, int number, object routes) except -1:
    cdef tuple rows = items(routes)
    cdef Py_ssize_t i
    for i in range(len(rows) - 1, -1, -1):
        write_route(out, number, rows[i])
    return 0


cdef int write_bonuses(Writer out, int number, object bonuses) except -1:
    cdef tuple rows = items(bonuses)
    cdef Py_ssize_t before, i
    for i in range(len(rows) - 1, -1, -1):
        before = out.written()
        out.figure(BONUS_AMOUNT, rows[i].amount)
        out.text(BONUS_NAME, rows[i].name)
        out.close(number, before)
    return 0


cdef int write_stop(Writer out, object stop) except -1:
    cdef Py_ssize_t before = out.written()
    out.flag(STOP_PAID, stop.paid)
    out.flag(STOP_COUNTED, stop.counted)
    out.figure(STOP_FACTOR, stop.factor)
    out.figure(STOP_PENALTY, stop.penalty)
    out.figure(STOP_MULTIPLIER, stop.multiplier)
    out.figure(STOP_AMOUNT, stop.amount)
    out.figure(STOP_VALUE, stop.value)
    out.signature(STOP_STOP, stop.hex, stop.part)
    return out.close(JUDGED_STOPS, before)


cdef int write_fault(Writer out, object fault) except -1:
    cdef Py_ssize_t before = out.written()
    out.text(FAULT_STOP, fault.stop)
    if fault.side is not None:
        out.number(FAULT_SIDE, whole(fault.side, LEAST_32, MOST_32))
    out.text(FAULT_HEX, fault.hex)
    out.text(FAULT_TRAIN, fault.train)
    if fault.route >= 0:
        out.number(FAULT_ROUTE, whole(fault.route, LEAST_32, MOST_32))
    out.text(FAULT_MESSAGE, fault.message)
    out.text(FAULT_RULE, fault.rule)
    return out.close(JUDGED_FAULTS, before)


cdef int write_judged(Writer out, object judged) except -1:
    cdef Py_ssize_t before = out.written(), i
    cdef tuple stops = items(judged.stops), faults = items(judged.faults)
    for i in range(len(faults) - 1, -1, -1):
        write_fault(out, faults[i])
    write_bonuses(out, JUDGED_BONUSES, judged.bonuses)
    for i in range(len(stops) - 1, -1, -1):
        write_stop(out, stops[i])
    out.text(JUDGED_REVENUE_STR, judged.revenue_str)
    out.figure(JUDGED_REVENUE, judged.revenue)
    out.text(JUDGED_TRAIN, judged.train)
    return out.close(SOLUTION_BREAKDOWN, before)


cdef int write_answer(Writer out, object solution, object company) except -1:
    """Write what a solution says of the whole run."""
    cdef object statistics = solution.statistics, better
    cdef long long nodes = whole(statistics.nodes, LEAST_64, MOST_64)
    if nodes:
        out.number(SOLUTION_NODES, nodes)
    out.real(SOLUTION_SECONDS, statistics.seconds)
    out.real(SOLUTION_CHECK_SECONDS, statistics.check_seconds)
    out.real(SOLUTION_SEARCH_SECONDS, statistics.search_seconds)
    out.real(SOLUTION_COMPILE_SECONDS, statistics.compile_seconds)
    if solution.cutoff is not None:
        better = solution.better_than_cutoff
        if better is not None:
            out.number(SOLUTION_BETTER, 1 if better else 0)
        out.number(SOLUTION_CUTOFF, whole(solution.cutoff, LEAST_32, MOST_32))
    out.text(SOLUTION_LIMIT, solution.limit)
    out.flag(SOLUTION_PROVEN, solution.proven)
    out.figure(SOLUTION_BOUND, solution.bound)
    out.figure(SOLUTION_REVENUE, solution.revenue)
    return out.text(SOLUTION_COMPANY, company)


def solution_bytes(solution, company):
    """Return the bytes of a ``rheingold.v1.Solution``, without the position's id.

    ``solution``: an :class:`optimizer.solution.Solution`. Raises ValueError for numbers of more than 32 bits
    and for texts that UTF-8 cannot hold.
    """
    cdef Writer out = Writer()
    cdef object breakdown = solution.breakdown
    cdef tuple sets = items(solution.alternatives), judged
    cdef Py_ssize_t before, i
    if breakdown is not None:
        write_bonuses(out, SOLUTION_BONUSES, breakdown.bonuses)
    for i in range(len(sets) - 1, -1, -1):
        before = out.written()
        write_routes(out, SET_ROUTES, sets[i].routes)
        out.figure(SET_REVENUE, sets[i].revenue)
        out.close(SOLUTION_ALTERNATIVES, before)
    if breakdown is not None:
        judged = items(breakdown.routes)
        for i in range(len(judged) - 1, -1, -1):
            write_judged(out, judged[i])
    write_routes(out, SOLUTION_ROUTES, solution.routes)
    write_answer(out, solution, company)
    return out.result()


def field(int number, bytes content not None, bytes rest not None):
    """Return a field of some length with its content, and after it the ``rest`` of a message."""
    cdef Writer out = Writer()
    if not 1 <= number < 1 << 28:
        raise ValueError("no number of a field")
    out.raw(PyBytes_AS_STRING(rest), PyBytes_GET_SIZE(rest))
    out.raw(PyBytes_AS_STRING(content), PyBytes_GET_SIZE(content))
    out.close(number, PyBytes_GET_SIZE(rest))
    return out.result()
