# cython: language_level=3
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.train_graph cimport TG

cdef enum:
    MAX_PAID = 16         # paid stops up to which walks are tabled
    MAX_DEAR = 7          # of the most valuable stops, those that a tabled walk pays once


cdef struct Ahead:
    double best          # the most that a walk can still bring from a node with k places left
    double other         # the same, if its first step may not go to ``to``
    int to


cdef class Bounds:
    cdef TG* g
    cdef int places
    cdef bint usable
    cdef bint walkable
    cdef bint walks_ready
    cdef int dear
    cdef vector[int] dear_bit
    cdef vector[double] pair_pay, pair_pass, walks
    cdef double tail
    cdef vector[Ahead] table          # nodes x (places + 1)
    cdef vector[Ahead] plain          # the same without a ferry as the first step
    cdef vector[double] worth         # per node: the most that entering it can bring
    cdef vector[int] rank             # nodes by worth
    cdef vector[char] placeless       # per node: it may take none of the places
    cdef bint some_placeless
    cdef vector[double] best_of, heap
    cdef vector[int] disc, low, stack
    cdef int time, mark, first_mark
    cdef double within        # all that the open stops met by a walk over blocks are worth
    cdef double first, second # the best closed stop, and the worse one of the best two
    cdef vector[int] ends, end_seen
    cdef int mark_ends
    cdef vector[int] seen
    cdef void prepare(self, TG* g, int places) noexcept nogil
    cdef void fill(self) noexcept nogil
    cdef void fill_walks(self) noexcept nogil
    cdef double* walks_after(self, const uint64_t* used) noexcept nogil
    cdef double limited_ahead(self, int node, int other, const uint64_t* used, int left) noexcept nogil
    cdef double best_ahead(self, int node, int other, const uint64_t* used, const double* tops,
                           int places) noexcept nogil
    cdef double ahead(self, int node, int came_from, int places) noexcept nogil
    cdef double top(self, const uint64_t* used, int places, int arms) noexcept nogil
    cdef bint track_free(self, int pair, const uint64_t* used) noexcept nogil
    cdef void reach(self, int node, const uint64_t* used, int* count) noexcept nogil
    cdef void note_end(self, int node) noexcept nogil
    cdef void start_ends(self) noexcept nogil
    cdef bint may_come(self, int v, const uint64_t* used) noexcept nogil
    cdef double chain_of_blocks(self, int node, int other, const uint64_t* used) noexcept nogil
    cdef double block_walk(self, int node, const uint64_t* used) noexcept nogil
    cdef double reach_best(self, int node, int other, const uint64_t* used, const double* have,
                           int count, int places, int arms) noexcept nogil
