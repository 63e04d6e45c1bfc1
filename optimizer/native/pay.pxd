# cython: language_level=3
from libc.stdint cimport uint64_t

from optimizer.native.custom cimport View
from optimizer.native.train_graph cimport TG

cdef enum:
    MAX_VISITS = 400


cdef struct Visit:
    int value
    int kind
    bint token
    int stop
    uint64_t marks[2]


cdef int bonus_value(TG* g, const uint64_t* marks, int claims) noexcept nogil
cdef int company_claims(TG* g, const uint64_t* marks) noexcept nogil
cdef bint rows_fit(TG* g, const int* counts) noexcept nogil
cdef int custom_value(TG* g, View* view, int revenue, const uint64_t* marks, int claims) noexcept nogil
cdef int best_pay(TG* g, Visit* visits, int n, const uint64_t* marks, int claims, View* view) noexcept nogil
