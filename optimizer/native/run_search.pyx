# cython: language_level=3
# distutils: language = c++
"""The best set of routes where rules in Python look at all routes of a run together.

A set is worth the sum of its routes and what the rules add to it, which is at most what they declare. So a
route can be part of a better set only if it is good enough with everything else at its best; all such routes
are collected, and every set of them whose bound is high enough is valued exactly. README.md has the argument.
"""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.bits cimport disjoint, merge
from optimizer.native.custom cimport NOT_ALLOWED, RunRules
from optimizer.native.network cimport Network
from optimizer.native.pricing cimport FULL, OUT_OF_NODES, OUT_OF_TIME, STOPPED, Control, Pricer, over

cdef enum:
    ROOM = 20000        # routes of one kind of train

REASONS = {0: "", OUT_OF_TIME: "time", OUT_OF_NODES: "nodes", STOPPED: "stopped", FULL: "routes"}


cdef class RunSearch:
    """Collects routes and tries their sets; see :meth:`solve`."""

    cdef RunRules rules
    cdef Control control
    cdef list pricers
    cdef vector[int] trains
    cdef int kinds, words, granularity, keep, least
    cdef double most                # what the rules can add
    cdef tuple greedy               # a set found at once, or None
    cdef double missed              # a bound on the sets that were not tried
    cdef vector[double] alone       # bound on one train of each kind
    # Routes, kind by kind, the best first.
    cdef vector[int] first, revenue, kind_of, number
    cdef vector[uint64_t] masks, used
    cdef vector[long long] views, view_at
    cdef vector[int] chosen
    cdef vector[int] found, found_at  # sets: revenue, count, routes...

    def __init__(self, Network net, list graphs, trains, int claim_bit, int granularity, RunRules rules):
        cdef Pricer pricer
        self.rules = rules
        self.kinds = len(graphs)
        self.words = net.resource_words
        self.granularity = granularity
        self.pricers = []
        for kind in range(self.kinds):
            self.trains.push_back(trains[kind])
            pricer = Pricer.__new__(Pricer)
            pricer.setup(graphs[kind], &self.control, claim_bit)
            self.pricers.append(pricer)
        self.most = rules.most()

    def solve(self, int[::1] stop, double deadline, long long node_limit, int cutoff, int keep):
        """Search; return ``(sets, bound, limit, nodes)`` as :meth:`optimizer.native.fleet.Fleet.solve`."""
        cdef Pricer pricer
        cdef int kind, s, at, i, column
        cdef double upper, bound
        self.control.stop = &stop[0]
        self.control.deadline = deadline
        self.control.node_limit = node_limit
        self.control.nodes = 0
        self.control.reason = 0
        self.keep = keep
        self.least = cutoff
        self.greedy = None
        upper = self.bound_alone()
        self.missed = -1e18
        if self.control.reason == 0:
            if keep == 1:
                self.try_greedy()
            if self.collect(upper):
                self.used.assign((sum(self.trains) + 2) * self.words, 0)
                with nogil:
                    self.branch(0, self.trains[0], self.first[0], 0, 0)
            else:
                self.missed = upper
        else:
            self.missed = upper
        sets = []
        for s in range(<int>self.found_at.size()):
            at = self.found_at[s]
            routes = []
            for i in range(self.found[at + 1]):
                column = self.found[at + 2 + i]
                pricer = self.pricers[self.kind_of[column]]
                routes.append(self.route_of(self.kind_of[column], pricer, self.number[column]))
            sets.append((self.found[at], routes))
        if not sets and self.greedy is not None:
            sets = [self.greedy]
        bound = min(upper, max(self.missed, <double>(sets[0][0] if sets else cutoff)))
        step = self.granularity
        best = sets[0][0] if sets else cutoff
        return sets, max(<int>((bound + 1e-6) // step) * step, best), REASONS[self.control.reason], self.control.nodes

    cdef double bound_alone(self) except -1:
        """Bound every kind of train by itself; return the bound on the run."""
        cdef Pricer pricer
        cdef double upper = self.most, bound
        self.alone.clear()
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            with nogil:
                pricer.set_prices(NULL)
                pricer.run(NULL, 0, False, 0)
            bound = max(pricer.missed, <double>max(pricer.best.revenue, 0))
            self.alone.push_back(bound)
            upper += self.trains[kind] * bound
        return upper

    cdef int try_greedy(self) except -1:
        """A good set at once: each train takes its best route beside the others."""
        cdef Pricer pricer
        cdef vector[uint64_t] taken
        cdef vector[int] columns
        cdef int kind, i, revenue = 0, claims = 0
        cdef long long more
        taken.assign(self.words, 0)
        self.clear_routes()
        routes = []
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            for i in range(self.trains[kind]):
                pricer.taken_claims = claims
                with nogil:
                    pricer.run(taken.data(), 0, False, 0)
                pricer.taken_claims = 0
                if pricer.best.revenue <= 0:
                    break
                claims |= pricer.best.claims
                revenue += pricer.best.revenue
                pricer.mask_onto(&pricer.best, taken.data())
                columns.push_back(<int>self.view_at.size())
                self.add_view(kind, pricer, -1)
                routes.append(self.route_of(kind, pricer, -1))
        more = self.rules.value(&self.views, &self.view_at, columns.data(), <int>columns.size())
        if more > NOT_ALLOWED and revenue + more - self.granularity > self.least:
            # Only a floor: the set itself is met again below.
            self.least = <int>(revenue + more - self.granularity)
            self.greedy = (revenue + more, routes)
        return 0

    cdef void clear_routes(self):
        self.first.clear()
        self.revenue.clear()
        self.kind_of.clear()
        self.number.clear()
        self.masks.clear()
        self.views.clear()
        self.view_at.clear()

    cdef void add_view(self, int kind, Pricer pricer, int column):
        self.view_at.push_back(<long long>self.views.size())
        self.views.push_back(kind)
        pricer.column_view(&pricer.columns[column] if column >= 0 else &pricer.best, &self.views)

    cdef bint collect(self, double upper) except -1:
        """List every route that a set better than the least can hold; False if there are too many."""
        cdef Pricer pricer
        cdef int kind, i, column, at
        cdef double threshold
        self.clear_routes()
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            threshold = max(0.0, self.alone[kind] - (upper - (self.least + self.granularity)))
            with nogil:
                pricer.run(NULL, threshold, True, ROOM)
            if pricer.full:
                self.control.reason = FULL
            if self.control.reason:
                return False
            self.first.push_back(<int>self.revenue.size())
            order = sorted(range(pricer.columns.size()), key=lambda i: (-pricer.columns[i].revenue, i))
            for column in order:
                self.revenue.push_back(pricer.columns[column].revenue)
                self.kind_of.push_back(kind)
                self.number.push_back(column)
                at = <int>self.masks.size()
                self.masks.resize(at + self.words)
                pricer.mask_of(&pricer.columns[column], &self.masks[at])
                self.add_view(kind, pricer, column)
        self.first.push_back(<int>self.revenue.size())
        return True

    cdef double rest(self, int kind, int left, int at) noexcept nogil:
        """The most that the trains without a route can bring; the next of ``kind`` is ``at`` or later."""
        cdef double total = 0
        cdef int k
        if at < self.first[kind + 1]:
            total = left * <double>self.revenue[at]
        for k in range(kind + 1, self.kinds):
            if self.first[k] < self.first[k + 1]:
                total += self.trains[k] * <double>self.revenue[self.first[k]]
        return total

    cdef void branch(self, int kind, int left, int at, int level, int revenue) noexcept nogil:
        """Choose a route for the next train of ``kind``, or leave the others of this kind without."""
        cdef uint64_t* used = &self.used[level * self.words]
        cdef int column
        cdef double bound
        if left > 0:
            for column in range(at, self.first[kind + 1]):
                bound = revenue + self.rest(kind, left, column) + self.most
                if bound <= self.least + self.granularity - 0.5:
                    break
                if not disjoint(used, &self.masks[column * self.words], self.words):
                    continue
                if over(&self.control):
                    self.missed = max(self.missed, bound)
                    return
                merge(&self.used[(level + 1) * self.words], used, &self.masks[column * self.words], self.words)
                self.chosen.push_back(column)
                self.value(revenue + self.revenue[column])
                self.branch(kind, left - 1, column + 1, level + 1, revenue + self.revenue[column])
                self.chosen.pop_back()
        if kind + 1 < self.kinds:
            self.branch(kind + 1, self.trains[kind + 1], self.first[kind + 1], level, revenue)

    cdef void value(self, int revenue) noexcept nogil:
        """Value the chosen set exactly, and keep it if it is among the best."""
        cdef long long more
        cdef int total, i, at
        if revenue + self.most <= self.least:
            return
        more = self.rules.value(&self.views, &self.view_at, self.chosen.data(), <int>self.chosen.size())
        if more <= NOT_ALLOWED:
            return
        total = revenue + <int>more
        if total <= self.least:
            return
        self.found_at.push_back(<int>self.found.size())
        self.found.push_back(total)
        self.found.push_back(<int>self.chosen.size())
        for i in range(<int>self.chosen.size()):
            self.found.push_back(self.chosen[i])
        at = <int>self.found_at.size() - 1
        while at > 0 and self.found[self.found_at[at - 1]] < total:
            i = self.found_at[at - 1]
            self.found_at[at - 1] = self.found_at[at]
            self.found_at[at] = i
            at -= 1
        if <int>self.found_at.size() > self.keep:
            self.found_at.pop_back()
        if <int>self.found_at.size() == self.keep:
            self.least = self.found[self.found_at.back()]

    cdef tuple route_of(self, int kind, Pricer pricer, int number):
        cdef int i
        column = pricer.columns[number] if number >= 0 else pricer.best
        arcs = tuple([pricer.paths[column.path + i] for i in range(column.count)])
        return kind, column.root, column.arm, arcs
