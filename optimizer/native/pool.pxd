# cython: language_level=3
from libc.stdint cimport uint64_t
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from optimizer.native.pricing cimport Column, Control, Pricer


cdef struct Known:
    int kind
    int revenue
    int claims
    int root
    int arm
    int path               # offset of its arcs
    int count
    int bits               # offset of the resources that it uses
    int bit_count
    double reduced


cdef class Pool:
    cdef int words, kinds
    cdef vector[Known] routes
    cdef vector[int] arcs
    cdef vector[int] bits
    cdef vector[uint64_t] masks
    cdef unordered_set[uint64_t] seen
    cdef vector[int] active, active_first
    cdef void start(self, int words, int kinds) noexcept nogil
    cdef bint add(self, int kind, Pricer pricer, Column* column) noexcept nogil
    cdef void reprice(self, const double* prices) noexcept nogil
    cdef double best(self, int kind) noexcept nogil
    cdef void choose(self, int most) noexcept nogil
    cdef double tune(self, double* prices, const int* trains, double target, int steps,
                     Control* control) noexcept nogil
