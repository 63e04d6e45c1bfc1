# cython: language_level=3
"""Bit sets as arrays of 64-bit words, inlined where they are used."""

from libc.stdint cimport uint64_t


cdef extern from *:
    """
    static inline int rh_popcount(unsigned long long x) { return __builtin_popcountll(x); }
    static inline int rh_lowest(unsigned long long x) { return __builtin_ctzll(x); }
    """
    int popcount "rh_popcount"(uint64_t x) noexcept nogil
    int lowest "rh_lowest"(uint64_t x) noexcept nogil


cdef inline bint disjoint(const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int i
    for i in range(words):
        if a[i] & b[i]:
            return False
    return True


cdef inline bint subset(const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    """Whether every bit of a is in b."""
    cdef int i
    for i in range(words):
        if a[i] & ~b[i]:
            return False
    return True


cdef inline void merge(uint64_t* out, const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int i
    for i in range(words):
        out[i] = a[i] | b[i]


cdef inline void add_bits(uint64_t* out, const uint64_t* a, int words) noexcept nogil:
    cdef int i
    for i in range(words):
        out[i] |= a[i]


cdef inline void set_bit(uint64_t* out, int bit) noexcept nogil:
    out[bit >> 6] |= (<uint64_t>1) << (bit & 63)


cdef inline bint has_bit(const uint64_t* a, int bit) noexcept nogil:
    return (a[bit >> 6] >> (bit & 63)) & 1
