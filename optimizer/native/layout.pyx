# cython: language_level=3
# distutils: language = c++
"""Hex by hex: the stops of a position, their numbers, kinds, flags and figures.

The parts of compiling that look at every hex or stop are here, since these took most of its time.
"""

from cpython cimport array
from libc.stdint cimport uint64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import array

cdef array.array INTS = array.array("i")

cdef enum:
    OWN_TOKEN = 1
    BLOCKED = 2
    MOST_FIGURES = 64   # sets of phases kept a tile
    MOST_SHAPES = 16384


cdef class Shape:
    """A tile in one rotation as numbers; see :mod:`optimizer.graph.shapes`.

    ``record``: all of it but the hex number. ``closed``: cities without slots, full from the start.
    ``costs``: (kind, places taken) of stops that take none or more than one. ``rims``: a path, the town
    whose rim it uses up, or -1.
    """

    cdef readonly object tile
    cdef readonly tuple cities, groups, slots, closed, costs, rims
    cdef readonly int stops
    cdef readonly bint has_ferry
    cdef bint odd               # it has more than one stop, groups, costs or a ferry
    cdef vector[int] record
    cdef vector[int] kinds
    cdef dict paid              # (colors, diesel) -> a figure a stop
    cdef object last_colors     # what was asked for last, compared by identity
    cdef bint last_diesel
    cdef vector[int] last_paid

    def __init__(self, object tile, record, kinds, tuple cities, tuple groups, tuple slots, tuple closed,
                 tuple costs, bint has_ferry, tuple rims):
        self.tile = tile
        self.cities = cities
        self.groups = groups
        self.slots = slots
        self.closed = closed
        self.costs = costs
        self.rims = rims
        self.has_ferry = has_ferry
        for number in record:
            self.record.push_back(number)
        for number in kinds:
            if not 0 <= number <= 2:
                raise ValueError(f"there is no kind {number} of stop")
            self.kinds.push_back(number)
        self.stops = <int>self.kinds.size()
        self.odd = self.stops > 1 or bool(groups) or bool(costs) or has_ferry
        self.paid = {}

    cdef int figure(self, object colors, bint diesel) except -1:
        """See that ``last_paid`` holds what each stop pays in a phase, before any train's multiplier."""
        cdef vector[int] paid
        cdef tuple found
        if self.last_colors is colors and self.last_diesel == diesel:
            return 0
        found = self.paid.get((colors, diesel))
        if found is None:
            found = tuple([stop.revenue.value(colors, "D" if diesel else "") for stop in self.tile.stops])
            if len(self.paid) >= MOST_FIGURES:
                self.paid.clear()
            self.paid[colors, diesel] = found
        for number in found:
            paid.push_back(number)
        if <int>paid.size() != self.stops:
            raise ValueError(f"tile {self.tile.name} has {paid.size()} stops, not {self.stops}")
        # nothing of Python between these: other threads read them too
        self.last_colors = colors
        self.last_diesel = diesel
        self.last_paid.swap(paid)
        return 0


cdef class ShapeTable:
    """The shapes of tiles that were seen, by identity: to compare tiles takes longer than all the rest.

    A shape holds its tile fast. Emptied when full, so that the maps of passing requests do not pile up.
    """

    cdef dict known
    cdef object make

    def __init__(self, make):
        """``make(tile, rotation)`` returns a new shape."""
        self.known = {}
        self.make = make

    cdef Shape find(self, object tile, object rotation):
        cdef object key, found
        cdef Py_ssize_t turn = rotation
        if not 0 <= turn < 6:  # a turn too many is no other shape, but no other key either
            return <Shape?>self.make(tile, rotation)
        key = (<size_t><void*>tile) * 6 + <size_t>turn
        found = self.known.get(key)
        if found is not None:
            return <Shape>found
        shape = self.make(tile, rotation)
        if len(self.known) >= MOST_SHAPES:
            self.known.clear()
        self.known[key] = shape
        return <Shape?>shape

    def shape_of(self, tile, rotation):
        """Return the flat form of a tile in one rotation (kept)."""
        return self.find(tile, rotation)


cdef class Layout:
    """Stops of a position by number, in the order in which the native network reads them.

    ``base[hex]``: the number of the first stop on a hex with track; ``shapes``: what lies there.
    ``records``: the network's input. ``kinds`` and ``flags``: a byte a stop. ``odd``: the hexes with more
    than one stop, or with stops that are not like others. ``own``: stops with a token of the company.
    """

    cdef readonly object board
    cdef readonly dict base, shapes
    cdef readonly list odd, own
    cdef readonly int stops
    cdef readonly bytearray flags
    cdef vector[int] numbers
    cdef vector[int] stop_kinds

    def __init__(self, board, tuple printed, dict index, hexes, states, company, neutral, ShapeTable table):
        """Lay out ``printed``, (hex, shape) pairs, less what ``states`` has, then ``hexes``.

        ``hexes`` are (hex, state) pairs and ``states`` the same as a mapping; ``neutral`` are hexes whose
        cities block nobody. Raises KeyError for a hex that is not in ``index``.
        """
        cdef list held = []
        self.board = board
        self.base = {}
        self.shapes = {}
        self.odd = []
        self.own = []
        for hex_id, shape in printed:
            if hex_id not in states:
                self.add(hex_id, index[hex_id], <Shape?>shape)
        for hex_id, state in hexes:
            tile = state.tile
            if tile.paths:
                shape = table.find(tile, state.rotation)
                self.add(hex_id, index[hex_id], <Shape>shape)
                if state.tokens:
                    held.append((hex_id, state.tokens, shape))
        self.flags = bytearray(self.stops)
        for hex_id, shape in self.shapes.items():
            if (<Shape>shape).closed and hex_id not in neutral:
                for stop in (<Shape>shape).closed:
                    self.flags[self.base[hex_id] + stop] = BLOCKED
        for hex_id, tokens, shape in held:
            self.mark_tokens(<Shape>shape, self.base[hex_id], tokens, company, hex_id in neutral)

    cdef int add(self, hex_id, int number, Shape shape) except -1:
        self.numbers.push_back(number)
        self.numbers.insert(self.numbers.end(), shape.record.begin(), shape.record.end())
        self.stop_kinds.insert(self.stop_kinds.end(), shape.kinds.begin(), shape.kinds.end())
        self.base[hex_id] = self.stops
        self.shapes[hex_id] = shape
        if shape.odd:
            self.odd.append(hex_id)
        self.stops += shape.stops
        return 0

    cdef int mark_tokens(self, Shape shape, int base, tokens, company, bint neutral_hex) except -1:
        """Flag cities with an own token, and cities that are full of other companies' tokens."""
        cdef int city, count, stop
        cdef bint own, neutral
        for city in range(len(shape.cities)):
            count, own, neutral = 0, False, False
            for token in tokens:
                if token.city == city:
                    count += 1
                    own = own or token.company == company
                    neutral = neutral or token.neutral
            if not count:
                continue
            stop = shape.cities[city]
            if own:
                self.flags[base + stop] = OWN_TOKEN
                self.own.append(base + stop)
            elif not neutral_hex and not neutral and count >= shape.slots[stop]:
                self.flags[base + stop] = BLOCKED
            else:
                self.flags[base + stop] = 0
        return 0

    @property
    def records(self):
        """The shapes with their hex numbers, as the network reads them."""
        return as_array(self.numbers)

    @property
    def kinds(self):
        """The kind of every stop, a byte each."""
        cdef bytearray found = bytearray(self.stops)
        cdef int i
        for i in range(self.stops):
            found[i] = <unsigned char>self.stop_kinds[i]
        return found

    def figures(self, colors, bint diesel):
        """Return what each stop pays in a phase, before any train's multiplier, as an array."""
        cdef vector[int] found
        cdef Shape shape
        found.reserve(self.stops)
        for one in self.shapes.values():
            shape = <Shape>one
            if shape.stops:
                shape.figure(colors, diesel)
                found.insert(found.end(), shape.last_paid.begin(), shape.last_paid.end())
        if <int>found.size() != self.stops:
            raise ValueError("a hex is listed twice")
        return as_array(found)

    def stops_of(self, hex_id):
        """Numbers of the stops on a hex (none where it has no track)."""
        first = self.base.get(hex_id)
        if first is None:
            return range(0)
        return range(first, first + (<Shape>self.shapes[hex_id]).stops)

    def stops_in(self, hexes):
        """Numbers of the stops on some hexes, hex by hex in the order of their names."""
        cdef list found = []
        cdef int first, i
        for hex_id in sorted(hexes):
            one = self.base.get(hex_id)
            if one is not None:
                first = one
                for i in range((<Shape>self.shapes[hex_id]).stops):
                    found.append(first + i)
        return found

    def mark(self, uint64_t[::1] marks, hexes, int ignored):
        """Set bits of stops: ``hexes`` are (hex, bit) pairs, ``marks`` two words a stop, ``ignored`` kinds."""
        cdef int first, i, bit
        if marks.shape[0] != 2 * self.stops:
            raise ValueError("two words a stop are needed")
        for hex_id, bit in hexes:
            one = self.base.get(hex_id)
            if one is None:
                continue
            if not 0 <= bit < 128:
                raise ValueError(f"there is no bit {bit}")
            first = one
            for i in range(first, first + (<Shape>self.shapes[hex_id]).stops):
                if not (ignored >> self.stop_kinds[i]) & 1:
                    marks[2 * i + (bit >> 6)] |= <uint64_t>1 << (bit & 63)

    def spread(self, int[::1] extras, hexes, int share):
        """Add ``share`` to every stop of some hexes; return how many stops these are."""
        cdef int first, i, count = 0
        if extras.shape[0] != self.stops:
            raise ValueError("one number a stop is needed")
        for hex_id in hexes:
            one = self.base.get(hex_id)
            if one is None:
                continue
            first = one
            for i in range(first, first + (<Shape>self.shapes[hex_id]).stops):
                extras[i] = within(<long long>extras[i] + share)
                count += 1
        return count

    def most_in(self, const int[::1] values, hexes):
        """Return the highest value of a stop on some hexes (0 where there is none), and how many there are."""
        cdef int first, i, most = 0, count = 0
        if values.shape[0] != self.stops:
            raise ValueError("one number a stop is needed")
        for hex_id in hexes:
            one = self.base.get(hex_id)
            if one is None:
                continue
            first = one
            for i in range(first, first + (<Shape>self.shapes[hex_id]).stops):
                if not count or values[i] > most:
                    most = values[i]
                count += 1
        return most, count

    def multiply(self, int[::1] values, int city, int town, int offboard):
        """Multiply what the stops of each kind pay; OverflowError beyond 32 bits."""
        cdef int i
        cdef int factor[3]
        if values.shape[0] != self.stops:
            raise ValueError("one number a stop is needed")
        factor[0], factor[1], factor[2] = city, town, offboard
        for i in range(self.stops):
            values[i] = within(<long long>values[i] * factor[self.stop_kinds[i]])


cdef int within(long long number) except? -1:
    if not -2147483648 <= number <= 2147483647:
        raise OverflowError(f"{number} is more than a stop can pay")
    return <int>number


def unit_of(const int[::1] values, int unit):
    """Return the greatest common divisor of ``unit`` and all values."""
    cdef long long a = unit, b
    cdef int i
    for i in range(values.shape[0]):
        b = values[i]
        while b:
            a, b = b, a % b
        if a == 1 or a == -1:
            break
    return abs(a)


def most_flagged(const int[::1] values, const unsigned char[::1] flags, int flag):
    """Return the highest value among stops with a flag, 0 where none has it."""
    cdef int i, most = 0
    cdef bint found = False
    if values.shape[0] != flags.shape[0]:
        raise ValueError("one flag a value is needed")
    for i in range(values.shape[0]):
        if flags[i] & flag and (not found or values[i] > most):
            most = values[i]
            found = True
    return most


cdef array.array as_array(vector[int]& numbers):
    cdef array.array found = array.clone(INTS, numbers.size(), False)
    if numbers.size():
        memcpy(found.data.as_ints, numbers.data(), numbers.size() * sizeof(int))
    return found
