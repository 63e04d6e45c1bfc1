# cython: language_level=3
# distutils: language = c++
"""How many legal routes a train has: every sequence of stops and track once, whatever its direction.

Nothing is pruned by revenue, so the count finds rule errors that an optimum would hide.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset
from libcpp.vector cimport vector

from optimizer.native.bits cimport disjoint, merge, set_bit
from optimizer.native.pay cimport rows_fit
from optimizer.native.train_graph cimport STOP_IGNORED, STOP_NO_END, STOP_SOME_END, TG, Arc, TrainGraph


cdef class Census:
    """Counts the routes of one train graph that was made without contraction."""

    cdef TrainGraph graph
    cdef TG* g
    cdef long long found, limit
    cdef vector[uint64_t] used, excluded
    cdef vector[int] arcs
    cdef int root, arm

    def __init__(self, TrainGraph graph):
        cdef int depth = graph.tg.nodes + 2
        self.graph = graph
        self.g = &graph.tg
        self.used.assign((depth + 1) * self.g.words, 0)
        self.arcs.assign(depth, 0)
        self.excluded.assign(self.g.words, 0)

    def count(self, long long limit):
        """Return the number of legal routes, or ``limit`` if there are as many or more."""
        cdef TG* g = self.g
        cdef int v
        self.found = 0
        self.limit = limit
        self.excluded.assign(g.words, 0)
        with nogil:
            for v in range(g.nodes):
                if not g.requires_token or g.token[v]:
                    self.root = v
                    merge(self.used.data(), self.excluded.data(), &g.node_mask[v * g.words], g.words)
                    self.extend(0, v, g.arc_first[v], False)
                    set_bit(self.excluded.data(), g.resource_words * 64 + g.node_stop[v])
        return min(self.found, limit)

    cdef void extend(self, int depth, int node, int start, bint second) noexcept nogil:
        """Lengthen the route by every free arc of ``node`` from ``start`` on."""
        cdef TG* g = self.g
        cdef int a
        cdef Arc* arc
        for a in range(start, g.arc_first[node + 1]):
            if self.found >= self.limit:
                return
            arc = &g.arcs[a]
            if arc.first and depth > 0:
                continue
            if not disjoint(&self.used[depth * g.words], &g.arc_mask[a * g.words], g.words):
                continue
            merge(&self.used[(depth + 1) * g.words], &self.used[depth * g.words],
                  &g.arc_mask[a * g.words], g.words)
            self.arcs[depth] = a
            self.visit(depth + 1, arc.to, arc.last, second)

    cdef void visit(self, int depth, int node, bint last, bint second) noexcept nogil:
        """Count the route as it stands; go on from its end, then with the second arm."""
        cdef TG* g = self.g
        cdef int kept = self.arm
        if not second:
            self.arm = depth
        if self.fits(depth):
            if self.legal(depth):
                self.found += 1
            if not last:
                self.extend(depth, node, g.arc_first[node], second)
            if not second and g.open_[self.root] and not g.arcs[self.arcs[0]].first:
                self.arm = depth
                self.extend(depth, self.root, self.arcs[0] + 1, True)
        self.arm = kept

    cdef bint legal(self, int depth) noexcept nogil:
        """Whether the ends are allowed, and the route leaves stops that count as one."""
        cdef TG* g = self.g
        cdef int i
        cdef unsigned char one = g.flags[g.arcs[self.arcs[self.arm - 1]].to], two = g.flags[self.root]
        if depth > self.arm:
            two = g.flags[g.arcs[self.arcs[depth - 1]].to]
        if (one | two) & STOP_NO_END or (g.some_end and not (one | two) & STOP_SOME_END):
            return False
        for i in range(depth):
            if not g.arcs[self.arcs[i]].ferry:
                return True
        return False

    cdef bint fits(self, int depth) noexcept nogil:
        """Whether the train may visit that many stops, in one direction at least."""
        return self.fits_from(depth, False) or (self.g.by_order and self.fits_from(depth, True))

    cdef bint fits_from(self, int depth, bint backward) noexcept nogil:
        """Count the stops in one direction: of joined stops the first one met counts."""
        cdef TG* g = self.g
        cdef int counts[3]
        cdef int i
        memset(counts, 0, sizeof(counts))
        # Run outwards from the root on one arm and inwards on the other: an arc's stop is left out
        # where it comes second, the stop nearer the root where that one does.
        for i in range(depth):
            if not g.arcs[self.arcs[i]].ferry or (i < self.arm) != backward:
                self.add(counts, g.arcs[self.arcs[i]].to, i, depth, backward)
        self.add(counts, self.root, -1, depth, backward)
        return rows_fit(g, counts)

    cdef void add(self, int* counts, int node, int at, int depth, bint backward) noexcept nogil:
        """Add a stop unless the stop after it, nearer the start of the route, is joined to it."""
        cdef TG* g = self.g
        cdef int onward = -1
        if at < 0:
            if backward:
                onward = self.arm if self.arm < depth else -1
            else:
                onward = 0
        elif (at < self.arm) != backward:
            onward = at + 1
            if at + 1 == self.arm or at + 1 == depth:
                onward = -1
        if onward >= 0 and g.arcs[self.arcs[onward]].ferry:
            return
        if not g.flags[node] & STOP_IGNORED:
            counts[g.kind[node]] += self.graph.net.stop_cost[g.node_stop[node]]
