# cython: language_level=3
# distutils: language = c++
"""Routes known so far, and prices on the track that make them compete for it."""

from libc.stdint cimport uint64_t
from libcpp.algorithm cimport nth_element
from libcpp.vector cimport vector

from optimizer.native.bits cimport lowest
from optimizer.native.pricing cimport Column, Control, Pricer, out_of_time


cdef class Pool:
    """Routes of every kind of train, each once."""

    cdef void start(self, int words, int kinds) noexcept nogil:
        self.words = words
        self.kinds = kinds
        self.routes.clear()
        self.arcs.clear()
        self.bits.clear()
        self.masks.clear()
        self.seen.clear()

    cdef bint add(self, int kind, Pricer pricer, Column* column) noexcept nogil:
        """Keep a route of a pricer; False if it was known."""
        cdef Known known
        cdef uint64_t name = <uint64_t>(kind * 1000003 + column.root * 8191 + column.arm * 131 + column.claims)
        cdef uint64_t word
        cdef int i
        for i in range(column.count):
            name = (name ^ <uint64_t>(pricer.paths[column.path + i] + 1)) * <uint64_t>0x9E3779B97F4A7C15
            name ^= name >> 31
        if self.seen.count(name):
            return False
        self.seen.insert(name)
        known.kind = kind
        known.revenue = column.revenue
        known.claims = column.claims
        known.root = column.root
        known.arm = column.arm
        known.path = <int>self.arcs.size()
        known.count = column.count
        known.reduced = column.revenue
        for i in range(column.count):
            self.arcs.push_back(pricer.paths[column.path + i])
        self.masks.resize(self.masks.size() + self.words)
        pricer.mask_of(column, &self.masks[self.masks.size() - self.words])
        known.bits = <int>self.bits.size()
        for i in range(self.words):
            word = self.masks[self.masks.size() - self.words + i]
            while word:
                self.bits.push_back(i * 64 + lowest(word))
                word &= word - 1
        known.bit_count = <int>self.bits.size() - known.bits
        self.routes.push_back(known)
        return True

    cdef void reprice(self, const double* prices) noexcept nogil:
        """Set each route's reduced value."""
        cdef int i, k
        cdef Known* known
        for i in range(<int>self.routes.size()):
            known = &self.routes[i]
            known.reduced = known.revenue
            for k in range(known.bits, known.bits + known.bit_count):
                known.reduced -= prices[self.bits[k]]

    cdef double best(self, int kind) noexcept nogil:
        """The best reduced value of a kind at the last prices, at least 0."""
        cdef int i
        cdef double found = 0
        for i in range(<int>self.routes.size()):
            if self.routes[i].kind == kind:
                found = max(found, self.routes[i].reduced)
        return found

    cdef void choose(self, int most) noexcept nogil:
        """Take the ``most`` best routes of each kind (and their equals) to tune the prices by."""
        cdef int kind, i
        cdef vector[double] values
        cdef double least
        self.active.clear()
        self.active_first.clear()
        for kind in range(self.kinds):
            self.active_first.push_back(<int>self.active.size())
            values.clear()
            for i in range(<int>self.routes.size()):
                if self.routes[i].kind == kind:
                    values.push_back(-self.routes[i].reduced)
            least = -1e18
            if <int>values.size() > most:
                nth_element(values.begin(), values.begin() + most, values.end())
                least = -values[most]
            for i in range(<int>self.routes.size()):
                if self.routes[i].kind == kind and self.routes[i].reduced >= least:
                    self.active.push_back(i)
        self.active_first.push_back(<int>self.active.size())

    cdef double tune(self, double* prices, const int* trains, double target, int steps,
                     Control* control) noexcept nogil:
        """Move prices down the bound's slope over the chosen routes (Polyak steps).

        ``target``: the best revenue known. Returns the bound that the chosen routes would prove.
        """
        cdef vector[int] use
        cdef vector[double] kept
        cdef int kind, bit, i, k, step, best_route, stale = 0, count = self.words * 64
        cdef double bound, lowest_bound = 1e18, value, top, slope, length, gap, pace = 1.0
        cdef Known* known
        for bit in range(count):
            kept.push_back(prices[bit])
        for step in range(steps):
            if step & 7 == 7 and out_of_time(control):
                break
            use.assign(count, 1)
            bound = 0
            for bit in range(count):
                bound += prices[bit]
            for kind in range(self.kinds):
                top = 0
                best_route = -1
                for i in range(self.active_first[kind], self.active_first[kind + 1]):
                    known = &self.routes[self.active[i]]
                    value = known.revenue
                    for k in range(known.bits, known.bits + known.bit_count):
                        value -= prices[self.bits[k]]
                    if value > top:
                        top = value
                        best_route = self.active[i]
                bound += trains[kind] * top
                if best_route >= 0:
                    known = &self.routes[best_route]
                    for k in range(known.bits, known.bits + known.bit_count):
                        use[self.bits[k]] -= trains[kind]
            if bound < lowest_bound - 1e-9:
                lowest_bound = bound
                stale = 0
                for bit in range(count):
                    kept[bit] = prices[bit]
            else:
                stale += 1
                if stale >= 8:
                    pace *= 0.6
                    stale = 0
                    for bit in range(count):
                        prices[bit] = kept[bit]
                    continue
            gap = bound - target
            length = 0
            for bit in range(count):
                slope = use[bit]
                if slope < 0 or prices[bit] > 0:
                    length += slope * slope
            if length == 0 or gap <= 0:
                break
            for bit in range(count):
                slope = use[bit]
                if slope < 0 or prices[bit] > 0:
                    prices[bit] = max(0.0, prices[bit] - pace * gap * slope / length)
        for bit in range(count):
            prices[bit] = kept[bit]
        return lowest_bound
