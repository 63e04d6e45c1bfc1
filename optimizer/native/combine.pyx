# cython: language_level=3
# distutils: language = c++
"""Choosing one route a train: the best set of columns that do not clash.

Columns lie in pools, one for each kind of train, sorted by reduced value (revenue minus price of what
they use). A set's revenue is at most the sum of its reduced values plus ``offset``, the price of all
resources.
"""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.bits cimport add_bits, disjoint, lowest, merge
from optimizer.native.pricing cimport Control, out_of_time, over


cdef class Combiner:
    """Depth-first search over pools; keeps the ``keep`` best sets that earn more than ``least``."""

    cdef void start(self, Control* control, int words, const double* prices, int least, int keep,
                    int granularity) noexcept nogil:
        """Begin a new problem; ``prices``: a price a resource, or NULL."""
        cdef int i, k
        cdef double total
        self.control = control
        self.words = words
        self.priced = prices != NULL
        self.offset = 0
        self.byte_price.clear()
        if self.priced:
            # The price of each byte of a mask, looked up by its value.
            self.byte_price.assign(words * 8 * 256, 0)
            for i in range(words * 64):
                self.offset += prices[i]
            for i in range(words * 8):
                for k in range(1, 256):
                    total = self.byte_price[i * 256 + (k & (k - 1))]
                    self.byte_price[i * 256 + k] = total + prices[i * 8 + lowest(k)]
        self.least = least
        self.keep = keep
        self.granularity = granularity
        self.missed = -1e18
        self.pools.clear()
        self.revenue.clear()
        self.reduced.clear()
        self.masks.clear()
        self.found.clear()
        self.found_at.clear()

    cdef void add_pool(self, int trains) noexcept nogil:
        cdef Pool pool
        pool.first = <int>self.revenue.size()
        pool.count = 0
        pool.trains = trains
        self.pools.push_back(pool)

    cdef void add(self, int revenue, double reduced, const uint64_t* mask) noexcept nogil:
        """Add a column to the newest pool."""
        cdef int i
        self.revenue.push_back(revenue)
        self.reduced.push_back(reduced)
        for i in range(self.words):
            self.masks.push_back(mask[i])
        self.pools[self.pools.size() - 1].count += 1

    cdef void sort_pools(self) noexcept nogil:
        """Fill the first lists: each pool's columns, the most promising first, ties in order."""
        cdef int p, i, n, step, j, column
        cdef vector[int]* items
        cdef int levels = 1
        for p in range(<int>self.pools.size()):
            levels += self.pools[p].trains + 1
        self.lists.resize((levels + 1) * self.pools.size())
        self.used.assign((levels + 1) * self.words, 0)
        self.reach.assign((levels + 1) * self.words, 0)
        self.tops.assign(self.pools.size(), 0)
        self.from_.assign(self.pools.size(), 0)
        for p in range(<int>self.pools.size()):
            if out_of_time(self.control):
                return
            items = &self.lists[p]
            items.clear()
            for i in range(self.pools[p].count):
                items.push_back(self.pools[p].first + i)
            n = self.pools[p].count
            # Shell sort: no allocation, and a total order keeps it the same everywhere.
            step = 1
            while step < n // 3:
                step = 3 * step + 1
            while step > 0:
                for i in range(step, n):
                    column = items[0][i]
                    j = i
                    while j >= step and self.before(column, items[0][j - step]):
                        items[0][j] = items[0][j - step]
                        j -= step
                    items[0][j] = column
                step //= 3

    cdef bint before(self, int a, int b) noexcept nogil:
        if self.reduced[a] != self.reduced[b]:
            return self.reduced[a] > self.reduced[b]
        return a < b

    cdef void run(self) noexcept nogil:
        self.sort_pools()
        self.chosen.clear()
        if self.control.reason:
            self.missed = 1e18
            return
        self.branch(0, self.pools[0].trains, 0, 0, 0)

    cdef double rest(self, int level, int pool, int left) noexcept nogil:
        """The most that the trains still without a route can add by their compatible columns."""
        cdef int p, i, trains, pools = <int>self.pools.size()
        cdef double total = 0
        cdef vector[int]* items
        for p in range(pool, pools):
            items = &self.lists[level * pools + p]
            trains = left if p == pool else self.pools[p].trains
            for i in range(min(trains, <int>items.size())):
                if self.reduced[items[0][i]] <= 0:
                    break
                total += self.reduced[items[0][i]]
        return total

    cdef void branch(self, int pool, int left, int level, int revenue, double reduced) noexcept nogil:
        """Give a route to the next train of ``pool``, or leave the others of this kind without."""
        cdef int pools = <int>self.pools.size(), i, p, k, column
        cdef vector[int]* items
        cdef uint64_t* used = &self.used[level * self.words]
        cdef uint64_t* next_used = &self.used[(level + 1) * self.words]
        cdef double bound = reduced + self.rest(level, pool, left) + self.offset, lost = 0
        if bound <= self.cut():
            return
        if self.priced:
            lost = self.lost(level, pool, used)
            if bound - lost <= self.cut():
                return
        # Long lists make a step here dear: look at the clock each time.
        if over(self.control) or out_of_time(self.control):
            self.missed = max(self.missed, bound - lost)
            return
        if pool == pools:
            self.store(revenue)
            return
        items = &self.lists[level * pools + pool]
        for i in range(<int>items.size() if left > 0 else 0):
            column = items[0][i]
            bound = reduced + self.best_from(level, pool, left, i) + self.offset - lost
            if bound <= self.cut():
                break
            if self.control.reason:
                self.missed = max(self.missed, bound)
                break
            if not self.narrow(level, pool, left - 1, i, reduced + self.reduced[column] - lost):
                continue
            merge(next_used, used, &self.masks[column * self.words], self.words)
            self.chosen.push_back(column)
            self.branch(pool, left - 1, level + 1, revenue + self.revenue[column],
                        reduced + self.reduced[column])
            self.chosen.pop_back()
        # The others of this kind stay without a route.
        for p in range(pool + 1, pools):
            self.lists[(level + 1) * pools + p] = self.lists[level * pools + p]
        for k in range(self.words):
            next_used[k] = used[k]
        self.branch(pool + 1, self.pools[pool + 1].trains if pool + 1 < pools else 0, level + 1,
                    revenue, reduced)

    cdef double cut(self) noexcept nogil:
        """A set must be worth more than this."""
        return self.least + self.granularity - 0.5

    cdef bint narrow(self, int level, int pool, int left, int at, double reduced) noexcept nogil:
        """Fill the next level's lists: columns compatible with the one at ``at`` that may still matter.

        A column matters only if a better set could be reached with it and the best compatible columns
        of the other trains. False if nothing better can be reached at all.
        """
        cdef int pools = <int>self.pools.size(), p, k, trains, other
        cdef vector[int]* items = &self.lists[level * pools + pool]
        cdef vector[int]* below
        cdef uint64_t* mask = &self.masks[items[0][at] * self.words]
        cdef double total = reduced + self.offset, least
        for p in range(pool, pools):
            items = &self.lists[level * pools + p]
            trains = left if p == pool else self.pools[p].trains
            self.tops[p] = 0
            self.from_[p] = <int>items.size()
            for k in range(at + 1 if p == pool else 0, <int>items.size() if trains > 0 else 0):
                other = items[0][k]
                if disjoint(mask, &self.masks[other * self.words], self.words):
                    self.tops[p] = max(self.reduced[other], 0.0)
                    self.from_[p] = k
                    break
            total += trains * self.tops[p]
        if total <= self.cut():
            return False
        for p in range(pool, pools):
            items = &self.lists[level * pools + p]
            below = &self.lists[(level + 1) * pools + p]
            below.clear()
            least = self.cut() - (total - self.tops[p])
            for k in range(self.from_[p], <int>items.size()):
                other = items[0][k]
                if self.reduced[other] <= least:
                    break
                if disjoint(mask, &self.masks[other * self.words], self.words):
                    below.push_back(other)
        return True

    cdef double best_from(self, int level, int pool, int left, int at) noexcept nogil:
        """The same bound when the next column taken from the pool is the one at ``at`` or later."""
        cdef int i, pools = <int>self.pools.size()
        cdef vector[int]* items = &self.lists[level * pools + pool]
        cdef double total = 0
        for i in range(at, min(at + left, <int>items.size())):
            if i > at and self.reduced[items[0][i]] <= 0:
                break
            total += self.reduced[items[0][i]]
        if pool + 1 < pools:
            total += self.rest(level, pool + 1, self.pools[pool + 1].trains)
        return total

    cdef double lost(self, int level, int pool, const uint64_t* used) noexcept nogil:
        """The price of resources that neither the chosen columns nor any compatible one uses."""
        cdef int p, i, pools = <int>self.pools.size()
        cdef uint64_t* reach = &self.reach[level * self.words]
        cdef vector[int]* items
        cdef double total = self.offset
        for i in range(self.words):
            reach[i] = used[i]
        for p in range(pool, pools):
            items = &self.lists[level * pools + p]
            for i in range(<int>items.size()):
                add_bits(reach, &self.masks[items[0][i] * self.words], self.words)
        for i in range(self.words):
            for p in range(8):
                total -= self.byte_price[(i * 8 + p) * 256 + ((reach[i] >> (8 * p)) & 255)]
        return total

    cdef void store(self, int revenue) noexcept nogil:
        """Keep a complete set if it is among the best."""
        cdef int i, at
        if revenue <= self.least:
            return
        self.found_at.push_back(<int>self.found.size())
        self.found.push_back(revenue)
        self.found.push_back(<int>self.chosen.size())
        for i in range(<int>self.chosen.size()):
            self.found.push_back(self.chosen[i])
        at = <int>self.found_at.size() - 1
        while at > 0 and self.found[self.found_at[at - 1]] < revenue:
            i = self.found_at[at - 1]
            self.found_at[at - 1] = self.found_at[at]
            self.found_at[at] = i
            at -= 1
        if <int>self.found_at.size() > self.keep:
            self.found_at.pop_back()
        if <int>self.found_at.size() == self.keep:
            self.least = self.found[self.found_at.back()]
