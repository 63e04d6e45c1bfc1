# cython: language_level=3
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.train_graph cimport MAX_CUSTOM, TG, TrainGraph

cdef enum:
    FIELDS = 12          # of a row in the view; the order is that of optimizer.custom.view.Stop
    ROW_HEX = 0
    ROW_PART = 1
    ROW_KIND = 2
    ROW_AMOUNT = 3
    ROW_TOKEN = 4
    ROW_COUNTED = 5
    ROW_PAID = 6
    ROW_ARRIVED = 7
    ROW_DEPARTED = 8
    ROW_MARKS = 9
    ROW_ENTRIES = 10
    ROW_ROUTE = 11
    HEAD = 16            # train, multiplier, revenue; counters from COUNTS on
    COUNTS = 8
    MAX_ROWS_SEEN = 404
    NOT_ALLOWED = -1000000000


cdef struct View:
    int size                              # visited stops
    int stop[MAX_ROWS_SEEN]               # which they are, as numbers of the network
    long long rows[MAX_ROWS_SEEN * FIELDS]


cdef void see_route(TrainGraph graph, View* view, int root, int arm, const int* arcs, int count,
                    bint backward) noexcept nogil
cdef int counters_value(TG* g, const uint64_t* marks, int claims) noexcept nogil
cdef int route_value(TG* g, View* view, int revenue, const uint64_t* marks, int claims) noexcept nogil
cdef int custom_claims(TG* g, const uint64_t* marks) noexcept nogil
cdef int rest_bound(TG* g, View* view) noexcept nogil
cdef int custom_slack(TG* g, View* view) noexcept nogil


ctypedef long long (*run_function)(const long long* routes, long long count, const long long* stops,
                                   long long size, const long long* parameters) noexcept nogil


cdef struct RunRule:
    run_function function
    long long parameters[16]
    long long kinds                       # bits of the kinds of train that it looks at
    long long most
    long long unit
    long long worst                       # the largest amount that broke ``most``
    long long uneven                      # an amount that broke ``unit``


cdef class RunRules:
    cdef vector[RunRule] rules
    cdef vector[long long] marks          # rules x stops
    cdef vector[long long] sides          # hex side, rule, bits
    cdef int stops
    cdef vector[long long] routes, rows
    cdef long long most(self) noexcept nogil
    cdef long long value(self, const vector[long long]* views, const vector[long long]* at,
                         const int* columns, int count) noexcept nogil
    cdef void fill(self, int rule, const vector[long long]* views, const vector[long long]* at,
                   const int* columns, int count) noexcept nogil
