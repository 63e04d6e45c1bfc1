# cython: language_level=3
# distutils: language = c++
"""The best set of routes for all trains of a company; README.md describes the way it goes."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.bits cimport add_bits, has_bit
from optimizer.native.combine cimport Combiner
from optimizer.native.network cimport Network
from optimizer.native.pricing cimport FULL, OUT_OF_NODES, OUT_OF_TIME, STOPPED, Column, Control, Pricer, now
from optimizer.native.train_graph cimport TrainGraph

cdef enum:
    FEW = 3000          # columns to try without prices
    MANY = 150000       # columns to try with prices
    ROUNDS = 40         # of pricing
    STEPS = 120         # of the prices between two rounds

REASONS = {0: "", OUT_OF_TIME: "time", OUT_OF_NODES: "nodes", STOPPED: "stopped", FULL: "routes"}


cdef class Fleet:
    """All trains of one run: a train graph and a number of trains for each kind.

    ``claim_bit``: the first resource bit of the bonuses for one route of the run.
    """

    cdef Network net
    cdef list graphs
    cdef vector[int] trains
    cdef int kinds, total, words, granularity
    cdef list pricers
    cdef Control control
    cdef int[::1] stop
    cdef object listener
    cdef vector[int] alone          # best revenue of one train of each kind by itself
    cdef vector[double] reduced_alone  # the most that one train of each kind can have left after prices
    cdef vector[double] prices, best_prices
    cdef Combiner combiner
    cdef int lower                  # best revenue found
    cdef double upper
    cdef list found                 # [(revenue, [(kind, root, arm, arcs)])], best first
    cdef list pool                  # a dict a kind: arcs -> (revenue, claims, root, arm, mask)
    cdef int keep
    cdef bint grew                  # a new route came up in the last round of pricing

    def __init__(self, Network net, list graphs, trains, int claim_bit, int granularity):
        cdef Pricer pricer
        self.net = net
        self.graphs = graphs
        self.kinds = len(graphs)
        self.granularity = granularity
        self.words = net.resource_words
        self.pricers = []
        for kind in range(self.kinds):
            self.trains.push_back(trains[kind])
            pricer = Pricer.__new__(Pricer)
            pricer.setup(graphs[kind], &self.control, claim_bit)
            self.pricers.append(pricer)
        self.total = sum(trains)
        self.combiner = Combiner.__new__(Combiner)

    def solve(self, int[::1] stop, double deadline, long long node_limit, int cutoff, int keep, listener):
        """Search; return ``(sets, bound, limit, nodes)``.

        ``stop[0]`` ends the search when it is set; ``deadline``: of the monotonic clock, 0 for none;
        ``cutoff``: only sets worth more matter (0: all); ``keep``: how many sets; ``listener``: None or
        called with ``(set, bound)`` when a better set was found. A set is ``(revenue, routes)``, a route
        ``(kind, root, arm, arcs)``.
        """
        self.stop = stop
        self.control.stop = &stop[0]
        self.control.deadline = deadline
        self.control.node_limit = node_limit
        self.control.nodes = 0
        self.control.reason = 0
        self.listener = listener
        self.lower = cutoff
        self.keep = keep
        self.found = []
        self.pool = [{} for _ in range(self.kinds)]
        if keep == 1:
            self.search()
        else:
            self.search_many(keep)
        bound = max(self.upper, self.lower)
        step = self.granularity
        bound = max(<int>((bound + 1e-6) // step) * step, self.lower)
        return self.found, bound, REASONS[self.control.reason], self.control.nodes

    def alone_of(self, int kind):
        """The best revenue of one train of a kind by itself."""
        return self.alone[kind]

    cdef int search(self) except -1:
        self.search_alone()
        if self.total == 1 or self.control.reason or self.settled():
            return 0
        self.greedy()
        if self.control.reason or self.settled():
            return 0
        if self.combine_all(NULL, 0, FEW) or self.control.reason:
            return 0
        return self.search_priced()

    cdef bint settled(self):
        """Whether nothing better than the best found can exist."""
        return self.upper < self.lower + self.granularity - 1e-6

    cdef int search_alone(self) except -1:
        """Every kind of train by itself; the sum bounds the run."""
        cdef Pricer pricer
        cdef int kind
        cdef double bound
        self.alone.clear()
        self.reduced_alone.clear()
        self.upper = 0
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            threshold = self.lower if self.total == 1 else 0
            with nogil:
                pricer.set_prices(NULL)
                pricer.run(NULL, threshold, False, 0)
            bound = max(pricer.missed, <double>max(pricer.best.revenue, 0))
            if self.total == 1:
                bound = max(bound, <double>threshold if self.lower > 0 else 0)
            self.alone.push_back(max(pricer.best.revenue, 0))
            self.reduced_alone.push_back(bound)
            self.upper += self.trains[kind] * bound
            if pricer.best.revenue > 0:
                self.remember(kind, pricer, &pricer.best)
                self.offer(pricer.best.revenue, [self.route_of(kind, pricer, &pricer.best)])
        return 0

    cdef tuple route_of(self, int kind, Pricer pricer, Column* column):
        cdef int i
        arcs = tuple([pricer.paths[column.path + i] for i in range(column.count)])
        return kind, column.root, column.arm, arcs

    cdef int remember(self, int kind, Pricer pricer, Column* column) except -1:
        """Keep a route for later rounds."""
        cdef vector[uint64_t] mask
        cdef int i
        mask.resize(self.words)
        pricer.mask_of(column, mask.data())
        route = self.route_of(kind, pricer, column)
        words = tuple([mask[i] for i in range(self.words)])
        (<dict>self.pool[kind])[(route[1], route[2], route[3], column.claims)] = (column.revenue, words)
        return 0

    cdef int offer(self, int revenue, list routes) except -1:
        """Take a set as the best so far if it is."""
        if revenue > self.lower:
            self.lower = revenue
            self.found = [(revenue, routes)]
            if self.listener is not None:
                self.listener(self.found[0], max(self.upper, self.lower) if self.upper else None)
        return 0

    cdef int greedy(self) except -1:
        """Good sets at once: trains one after the other, in a few orders."""
        order = sorted(range(self.kinds), key=lambda kind: (-self.alone[kind], kind))
        orders = [order, order[::-1]] + [order[i:] + order[:i] for i in range(1, min(self.kinds, 4))]
        seen = []
        for one in orders:
            if one in seen:
                continue
            seen.append(one)
            self.greedy_in(one)
            if self.control.reason or self.settled():
                break
        return 0

    cdef int greedy_in(self, order) except -1:
        cdef Pricer pricer
        cdef vector[uint64_t] taken, mask
        cdef int kind, i, revenue = 0, claims = 0
        taken.assign(self.words, 0)
        mask.assign(self.words, 0)
        routes = []
        for kind in order:
            pricer = self.pricers[kind]
            for i in range(self.trains[kind]):
                pricer.taken_claims = claims
                with nogil:
                    pricer.run(taken.data(), 0, False, 0)
                if pricer.best.revenue <= 0:
                    break
                revenue += pricer.best.revenue
                claims |= pricer.best.claims
                routes.append(self.route_of(kind, pricer, &pricer.best))
                self.remember(kind, pricer, &pricer.best)
                pricer.mask_of(&pricer.best, mask.data())
                add_bits(taken.data(), mask.data(), self.words)
            pricer.taken_claims = 0
        for kind in range(self.kinds):
            (<Pricer>self.pricers[kind]).taken_claims = 0
        return self.offer(revenue, routes)

    cdef bint combine_all(self, const double* prices, double offset, int room) except -1:
        """Collect every route that can be part of a better set, and combine them.

        With prices the pricers hold the best reduced value of each kind from the last round. False if
        there are more than ``room`` routes of a kind.
        """
        cdef Pricer pricer
        cdef int kind, i, n
        cdef double spare, best, total = offset, threshold
        cdef vector[uint64_t] mask
        mask.resize(self.words)
        for kind in range(self.kinds):
            total += self.trains[kind] * self.reduced_alone[kind]
        spare = total - (self.lower + self.granularity)
        if spare < -1e-6:
            self.upper = min(self.upper, total)
            return True
        self.combiner.start(&self.control, self.words, offset, self.lower, self.keep, self.granularity)
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            threshold = self.reduced_alone[kind] - spare
            if prices == NULL:
                threshold = max(threshold, <double>self.granularity)
            with nogil:
                pricer.run(NULL, threshold, True, room)
            if pricer.full:
                return False
            if self.control.reason:
                return True
            self.combiner.add_pool(self.trains[kind])
            n = <int>pricer.columns.size()
            for i in range(n):
                pricer.mask_of(&pricer.columns[i], mask.data())
                self.combiner.add(pricer.columns[i].revenue, pricer.columns[i].reduced, mask.data())
        with nogil:
            self.combiner.run()
        self.take_found()
        if self.control.reason:
            self.upper = min(self.upper, max(self.combiner.missed, <double>self.lower))
        else:
            self.upper = self.lower
        return True

    cdef int take_found(self) except -1:
        """Read the combiner's sets; its columns are those of the pricers, kind by kind."""
        cdef Pricer pricer
        cdef int s, at, i, column, kind
        sets = []
        for s in range(<int>self.combiner.found_at.size()):
            at = self.combiner.found_at[s]
            routes = []
            for i in range(self.combiner.found[at + 1]):
                column = self.combiner.found[at + 2 + i]
                kind = 0
                while kind + 1 < self.kinds and column >= self.combiner.pools[kind + 1].first:
                    kind += 1
                pricer = self.pricers[kind]
                routes.append(self.route_of(
                    kind, pricer, &pricer.columns[column - self.combiner.pools[kind].first]))
            sets.append((self.combiner.found[at], routes))
        if sets and self.keep > 1:
            self.found = sets
            self.lower = max(self.lower, sets[0][0])
        elif sets:
            self.offer(sets[0][0], sets[0][1])
        return 0

    cdef int search_priced(self) except -1:
        """Put prices on the track, so that trains bid for it; the bound falls towards the optimum.

        For any prices, the prices of all resources plus the best reduced value of each train is a
        bound (Lagrangian relaxation). Known routes tune the prices; exact pricing makes the bound
        valid and brings the routes that were missing.
        """
        cdef int round_
        cdef double bound, best = self.upper
        self.prices.assign(self.words * 64, 0)
        self.best_prices.assign(self.words * 64, 0)
        best_reduced = [self.reduced_alone[kind] for kind in range(self.kinds)]
        for round_ in range(ROUNDS):
            self.tune()
            bound = self.price_all()
            if self.control.reason:
                break
            if bound < best - 1e-6:
                best = bound
                self.best_prices = self.prices
                best_reduced = [self.reduced_alone[kind] for kind in range(self.kinds)]
                self.upper = min(self.upper, best)
            if self.settled():
                return 0
            self.combine_pool()
            if self.control.reason or self.settled() or not self.grew:
                break
        if self.control.reason or self.settled():
            return 0
        for kind in range(self.kinds):
            self.reduced_alone[kind] = best_reduced[kind]
            (<Pricer>self.pricers[kind]).set_prices(self.best_prices.data())
        self.prices = self.best_prices
        if not self.combine_all(self.prices.data(), self.total_price(), MANY) and not self.control.reason:
            self.control.reason = FULL
        return 0

    cdef double total_price(self):
        cdef double total = 0
        cdef int bit
        for bit in range(self.words * 64):
            total += self.prices[bit]
        return total

    cdef double price_all(self) except? -1:
        """Find each kind's best route at these prices; return the bound they prove."""
        cdef Pricer pricer
        cdef int kind, i
        cdef double total = self.total_price(), best
        self.grew = False
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            with nogil:
                pricer.set_prices(self.prices.data())
                pricer.run(NULL, 0, False, 0)
            if self.control.reason:
                return 0
            best = max(pricer.best.reduced, 0.0)
            self.reduced_alone[kind] = best
            total += self.trains[kind] * best
            if pricer.best.revenue > 0:
                key = self.key_of(kind, pricer)
                if key not in <dict>self.pool[kind]:
                    self.grew = True
                    self.remember(kind, pricer, &pricer.best)
            # Near-best routes come along: they save rounds.
            with nogil:
                pricer.run(NULL, best - 2 * self.granularity, True, 200)
            for i in range(<int>pricer.columns.size()):
                self.remember(kind, pricer, &pricer.columns[i])
        return total

    cdef tuple key_of(self, int kind, Pricer pricer):
        route = self.route_of(kind, pricer, &pricer.best)
        return route[1], route[2], route[3], pricer.best.claims

    cdef int tune(self) except -1:
        """Move the prices down the bound's slope over the known routes (Polyak steps)."""
        cdef vector[vector[int]] bits
        cdef vector[int] revenue, first, use, best_at
        cdef vector[double] best_prices
        cdef int kind, bit, i, n, step, count = self.words * 64
        cdef double bound, lowest = 1e18, value, top, slope, length, gap, pace = 1.0
        cdef int best, stale
        for kind in range(self.kinds):
            first.push_back(<int>revenue.size())
            for income, words in (<dict>self.pool[kind]).values():
                revenue.push_back(income)
                bits.push_back(bits_of(words))
        first.push_back(<int>revenue.size())
        n = <int>revenue.size()
        best_prices = self.prices
        stale = 0
        with nogil:
            for step in range(STEPS):
                use.assign(count, 1)
                bound = 0
                for bit in range(count):
                    bound += self.prices[bit]
                for kind in range(self.kinds):
                    top = 0
                    best = -1
                    for i in range(first[kind], first[kind + 1]):
                        value = revenue[i]
                        for bit in range(<int>bits[i].size()):
                            value -= self.prices[bits[i][bit]]
                        if value > top:
                            top = value
                            best = i
                    bound += self.trains[kind] * top
                    if best >= 0:
                        for bit in range(<int>bits[best].size()):
                            use[bits[best][bit]] -= self.trains[kind]
                if bound < lowest - 1e-9:
                    lowest = bound
                    best_prices = self.prices
                    stale = 0
                else:
                    stale += 1
                    if stale >= 8:
                        pace *= 0.6
                        stale = 0
                        self.prices = best_prices
                        continue
                gap = bound - self.lower
                length = 0
                for bit in range(count):
                    slope = use[bit]
                    if slope < 0 or self.prices[bit] > 0:
                        length += slope * slope
                if length == 0 or gap <= 0:
                    break
                for bit in range(count):
                    slope = use[bit]
                    if slope < 0 or self.prices[bit] > 0:
                        self.prices[bit] = max(0.0, self.prices[bit] - pace * gap * slope / length)
        self.prices = best_prices
        return 0

    cdef int combine_pool(self) except -1:
        """Look for a better set among the routes known so far."""
        cdef int kind, i
        cdef long long limit = self.control.node_limit
        cdef double value
        cdef vector[uint64_t] mask
        cdef Control own = self.control
        mask.resize(self.words)
        own.node_limit = self.control.nodes + 20000
        if limit and limit < own.node_limit:
            own.node_limit = limit
        self.combiner.start(&own, self.words, self.total_price(), self.lower, 1, self.granularity)
        keys = []
        for kind in range(self.kinds):
            self.combiner.add_pool(self.trains[kind])
            for key, (income, words) in (<dict>self.pool[kind]).items():
                value = income
                for i in range(self.words):
                    mask[i] = words[i]
                for bit in bits_of(words):
                    value -= self.prices[bit]
                self.combiner.add(income, value, mask.data())
                keys.append((kind, key[0], key[1], key[2]))
        with nogil:
            self.combiner.run()
        self.control.nodes = own.nodes
        if own.reason and not (own.reason == OUT_OF_NODES and (limit == 0 or own.nodes < limit)):
            self.control.reason = own.reason
        for i in range(<int>self.combiner.found_at.size()):
            at = self.combiner.found_at[i]
            routes = [keys[self.combiner.found[at + 2 + k]] for k in range(self.combiner.found[at + 1])]
            self.offer(self.combiner.found[at], routes)
        return 0

    cdef int search_many(self, int keep) except -1:
        """The ``keep`` best sets: lower the least revenue until there are enough."""
        cdef int floor = self.lower, least, kind
        cdef double width = 2 * self.granularity
        self.keep = 1
        self.search()
        self.keep = keep
        if self.control.reason or not self.found:
            return 0
        top = self.found[0]
        best = self.lower
        for kind in range(self.kinds):
            (<Pricer>self.pricers[kind]).set_prices(NULL)
            self.reduced_alone[kind] = self.alone[kind]
        while True:
            least = max(floor, <int>(best - width))
            self.lower = least
            complete = self.combine_all(NULL, 0, MANY)
            if self.control.reason or not complete or len(self.found) >= keep or least <= floor:
                break
            width *= 2
        if not self.found or self.found[0][0] < best:
            self.found.insert(0, top)
        self.lower = best
        self.upper = best
        if not complete and not self.control.reason:
            self.control.reason = FULL
        return 0


cdef vector[int] bits_of(tuple words):
    """Numbers of the bits set in a mask."""
    cdef vector[int] found
    cdef uint64_t word
    cdef int i, bit
    for i in range(len(words)):
        word = words[i]
        for bit in range(64):
            if (word >> bit) & 1:
                found.push_back(i * 64 + bit)
    return found

def debug(Fleet f):
    cdef Pricer p
    out = []
    for k in range(f.kinds):
        p = f.pricers[k]
        out.append([(p.columns[i].revenue, p.columns[i].reduced, p.columns[i].root, p.columns[i].arm, p.columns[i].count) for i in range(p.columns.size())])
    return out, [f.combiner.pools[i] for i in range(f.combiner.pools.size())], [hex(x) for x in f.combiner.masks], f.reduced_alone, f.lower, f.upper
