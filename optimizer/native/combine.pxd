# cython: language_level=3
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.pricing cimport Column, Control


cdef struct Pool:
    int first              # its columns in the combiner
    int count
    int trains             # how many trains of this kind


cdef class Combiner:
    cdef Control* control
    cdef int words
    cdef double offset     # total price of all resources
    cdef int least         # a set must earn more than this
    cdef int keep          # how many sets are wanted
    cdef int granularity
    cdef double missed
    cdef bint priced
    cdef vector[double] byte_price
    cdef vector[uint64_t] reach
    cdef vector[double] tops
    cdef vector[int] from_
    cdef vector[Pool] pools
    cdef vector[int] revenue
    cdef vector[double] reduced
    cdef vector[uint64_t] masks
    cdef vector[uint64_t] used
    cdef vector[int] chosen
    cdef vector[vector[int]] lists
    cdef vector[int] found           # sets: revenue, count, columns...
    cdef vector[int] found_at
    cdef vector[int] order
    cdef void start(self, Control* control, int words, const double* prices, int least, int keep, int granularity) noexcept nogil
    cdef void add_pool(self, int trains) noexcept nogil
    cdef void add(self, int revenue, double reduced, const uint64_t* mask) noexcept nogil
    cdef void run(self) noexcept nogil
    cdef void branch(self, int pool, int left, int level, int revenue, double reduced) noexcept nogil
    cdef double cut(self) noexcept nogil
    cdef bint narrow(self, int level, int pool, int left, int at, double reduced) noexcept nogil
    cdef double rest(self, int level, int pool, int left) noexcept nogil
    cdef bint before(self, int a, int b) noexcept nogil
    cdef double best_from(self, int level, int pool, int left, int at) noexcept nogil
    cdef double lost(self, int level, int pool, const uint64_t* used) noexcept nogil
    cdef void store(self, int revenue) noexcept nogil
    cdef void sort_pools(self) noexcept nogil
