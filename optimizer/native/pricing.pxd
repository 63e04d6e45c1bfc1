# cython: language_level=3
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.bounds cimport Bounds
from optimizer.native.custom cimport View
from optimizer.native.pay cimport Visit
from optimizer.native.train_graph cimport TG, Arc, TrainGraph

cdef enum:
    RUNNING = 0
    OUT_OF_TIME = 1
    OUT_OF_NODES = 2
    STOPPED = 3
    SMALL_RUN = 3000      # steps after which tables for the best stops are worth making
    FULL = 4              # more routes than there is room for


cdef struct Control:
    double deadline       # of the monotonic clock, 0: none
    long long nodes
    long long node_limit  # 0: none
    int* stop             # not 0: give up
    int reason


cdef struct Column:
    int revenue
    int claims            # bonuses for one route of the run that it takes
    double reduced        # revenue minus the price of what it uses
    int path              # offset of its arcs
    int arm               # arcs of the first arm
    int count             # arcs of both
    int root


cdef bint over(Control* control) noexcept nogil
cdef bint out_of_time(Control* control) noexcept nogil
cdef double now() noexcept nogil


cdef class Pricer:
    cdef TrainGraph graph
    cdef TG* g
    cdef Bounds bounds
    cdef Control* control
    cdef bint collecting, priced, full
    cdef int doubling         # doublings that the ends of the route allow
    cdef bint backward        # the route runs from the end of its second arm
    cdef double cut, step
    cdef int room
    cdef long long started    # steps of the control when the run began
    cdef int claim_bit        # first resource bit of the bonuses for one route of the run
    cdef int taken_claims     # of those, the ones that other routes took
    cdef vector[double] prices, have, deep, price_at, tops
    cdef vector[uint64_t] used, marks, excluded
    cdef vector[int] arcs
    cdef vector[double] slack_at  # the most that bonuses outside the stops can still bring
    cdef View view                # the route as Python rules see it
    cdef int root
    cdef int arm              # arcs of the first arm
    cdef bint root_ends       # the root must end the route
    cdef double missed        # a bound on the routes that were not looked at
    cdef Column best
    cdef vector[Column] columns
    cdef vector[int] paths
    cdef void setup(self, TrainGraph graph, Control* control, int claim_bit)
    cdef void set_prices(self, const double* prices) noexcept nogil
    cdef double price_of(self, const uint64_t* mask) noexcept nogil
    cdef void run(self, const uint64_t* taken, double threshold, bint collecting, int room) noexcept nogil
    cdef void from_root(self, int root) noexcept nogil
    cdef void try_arcs(self, int depth, int node, int count, int exact, double sum_, bint second,
                       int start) noexcept nogil
    cdef void descend(self, int depth, int node, int count, int exact, double sum_, bint second) noexcept nogil
    cdef double bound(self, int depth, Arc* arc, int node, int count, double sum_, bint second) noexcept nogil
    cdef double deep_bound(self, int depth, int node, double sum_, bint second, int count) noexcept nogil
    cdef double walk_bound(self, int depth, int node, int other, const uint64_t* used, double sum_,
                           int count) noexcept nogil
    cdef void note_top(self, int depth, double value) noexcept nogil
    cdef bint fits(self, int depth) noexcept nogil
    cdef bint only_ferries(self, int depth) noexcept nogil
    cdef int end_stop(self, int depth, int which) noexcept nogil
    cdef int active_doublings(self, int stop_a, int stop_b) noexcept nogil
    cdef int factor(self, int stop) noexcept nogil
    cdef void consider(self, int depth, int node, int count, int exact, double sum_) noexcept nogil
    cdef void score(self, int depth, int exact, int claims) noexcept nogil
    cdef int revenue(self, int depth, int exact, int claims) noexcept nogil
    cdef int with_rules(self, int depth, int revenue, const uint64_t* marks, int claims) noexcept nogil
    cdef void see(self, int depth) noexcept nogil
    cdef void column_view(self, Column* column, vector[long long]* out) noexcept nogil
    cdef void visit(self, Visit* out, int stop, bint token) noexcept nogil
    cdef void add_side_marks(self, int depth, uint64_t* marks) noexcept nogil
    cdef int list_order(self, int depth, int* stops, char* joined) noexcept nogil
    cdef int list_towns(self, int at, int* stops, char* joined, int n, bint outwards) noexcept nogil
    cdef int visits_in_order(self, int depth, Visit* out, uint64_t* marks) noexcept nogil
    cdef void take_penalty(self, Visit* visit) noexcept nogil
    cdef int visits(self, int depth, Visit* out, uint64_t* marks) noexcept nogil
    cdef void keep(self, int depth, int revenue, double reduced, int claims) noexcept nogil
    cdef void mask_of(self, Column* column, uint64_t* out) noexcept nogil
    cdef void mask_onto(self, Column* column, uint64_t* out) noexcept nogil
    cdef int route_mask(self, int root, arcs, int claims, uint64_t* out) except -1
