# cython: language_level=3
# distutils: language = c++
"""The best set of routes for all trains of a company; README.md describes the way it goes."""

from concurrent.futures import ThreadPoolExecutor

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.bits cimport add_bits
from optimizer.native.combine cimport Combiner
from optimizer.native.network cimport Network
from optimizer.native.pool cimport Known, Pool
from optimizer.native.pricing cimport FULL, OUT_OF_NODES, OUT_OF_TIME, STOPPED, Column, Control, Pricer, out_of_time
from optimizer.native.train_graph cimport TrainGraph

cdef enum:
    FEW = 3000          # routes of a kind to combine without prices
    FEW_STEPS = 4000    # and steps to try it
    MANY = 300000       # routes of a kind to combine with prices
    ACTIVE = 400        # routes of a kind to tune the prices by
    NEAR = 200          # routes of a kind that a round of pricing may bring
    ROUNDS = 60         # of pricing
    PATIENCE = 6        # rounds that bring the bound hardly down
    POLISH_STEPS = 50000
    POOL_STEPS = 20000
    QUICK_STEPS = 2000  # a train, for the first set
    GREEDY_STEPS = 100000
    ALONE_STEPS = 300000  # a kind by itself, where there are others
    MOST_EFFORT = 512
    PRICE_STEPS = 300000  # a kind and round; what is left undone stays in the bound
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
    cdef vector[double] prices, best_prices, best_reduced
    cdef double best_bound
    cdef long long effort           # multiplies the steps of pricing
    cdef Combiner combiner
    cdef int lower                  # best revenue found
    cdef double upper
    cdef list found                 # [(revenue, [(kind, root, arm, arcs)])], best first
    cdef Pool pool                  # routes known so far
    cdef int keep
    cdef int threads
    cdef vector[Control] controls   # one a kind where they run side by side
    cdef list whole                 # kinds whose last run came to its end
    cdef list order                 # kinds in the combiner's order
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
        self.pool = Pool.__new__(Pool)

    def solve(self, int[::1] stop, double deadline, long long node_limit, int cutoff, int keep, listener,
              int threads=1):
        """Search; return ``(sets, bound, limit, nodes)``.

        ``stop[0]`` ends the search when it is set; ``deadline``: of the monotonic clock, 0 for none;
        ``cutoff``: only sets worth more matter (0: all); ``keep``: how many sets; ``listener``: None or
        called with ``(set, bound)`` when a better set was found; ``threads``: how many kinds may be searched
        side by side. A set is ``(revenue, routes)``, a route
        ``(kind, root, arm, arcs)``.
        """
        self.stop = stop
        self.control.stop = &stop[0]
        self.control.deadline = deadline
        self.control.node_limit = node_limit
        self.control.nodes = 0
        self.control.reason = 0
        self.listener = listener
        self.threads = threads
        self.controls.resize(self.kinds)
        self.lower = cutoff
        self.keep = keep
        self.found = []
        self.pool.start(self.words, self.kinds)
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
        self.bound_roughly()
        if self.total > 1:
            self.start_quickly()
        elif self.listener is not None:
            self.report_on_the_way()
        self.search_alone()
        if self.total == 1 or self.control.reason or self.settled():
            return 0
        self.greedy()
        if self.control.reason or self.settled():
            return 0
        if self.combine_all(NULL, FEW, FEW_STEPS) or self.control.reason:
            return 0
        return self.search_priced()

    cdef bint settled(self):
        """Whether nothing better than the best found can exist."""
        return self.upper < self.lower + self.granularity - 1e-6

    cdef long long begin_budget(self, long long steps):
        """Allow only so many steps from here (0: as before); returns the node limit to restore."""
        cdef long long limit = self.control.node_limit, most = self.control.nodes + steps
        if steps and (limit == 0 or most < limit):
            self.control.node_limit = most
        return limit

    cdef bint end_budget(self, long long limit):
        """Restore the node limit; tell whether only the budget ran out."""
        self.control.node_limit = limit
        if self.control.reason == OUT_OF_NODES and (limit == 0 or self.control.nodes < limit):
            self.control.reason = 0
            return True
        return False

    cdef int bound_roughly(self) except -1:
        """A first bound, from one step of each kind."""
        cdef Pricer pricer
        cdef int kind
        cdef long long limit
        self.upper = 0
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            limit = self.begin_budget(1)
            with nogil:
                pricer.set_prices(NULL)
                pricer.run(NULL, 0, False, 0)
            self.end_budget(limit)
            self.upper += self.trains[kind] * max(pricer.missed, <double>max(pricer.best.revenue, 0))
        return 0

    cdef int start_quickly(self) except -1:
        """A first set within a few steps a train, so that there is an answer whatever happens."""
        cdef Pricer pricer
        cdef vector[uint64_t] taken
        cdef int kind, i, claims = 0
        cdef long long limit
        taken.assign(self.words, 0)
        routes = []
        revenue = 0
        for kind in range(self.kinds):
            for i in range(self.trains[kind]):
                limit = self.begin_budget(QUICK_STEPS)
                pricer = self.best_besides(kind, taken.data(), claims)
                self.end_budget(limit)
                if pricer.best.revenue <= 0:
                    break
                revenue += pricer.best.revenue
                claims |= pricer.best.claims
                routes.append(self.route_of(kind, pricer, &pricer.best))
                self.pool.add(kind, pricer, &pricer.best)
                pricer.mask_onto(&pricer.best, taken.data())
        return self.offer(revenue, routes)

    cdef int report_on_the_way(self) except -1:
        """One train, with somebody listening: run with growing budgets, so that there is news.

        The full search that follows meets routes in the same order, so the answer stays the same.
        """
        cdef Pricer pricer = self.pricers[0]
        cdef long long steps = QUICK_STEPS, limit
        cdef bint cut_short = True
        while cut_short and self.control.reason == 0 and steps < 1000 * QUICK_STEPS:
            limit = self.begin_budget(steps)
            with nogil:
                pricer.run(NULL, self.lower, False, 0)
            cut_short = self.end_budget(limit)
            self.upper = min(self.upper, max(pricer.missed, <double>max(pricer.best.revenue, self.lower)))
            if pricer.best.revenue > 0:
                self.offer(pricer.best.revenue, [self.route_of(0, pricer, &pricer.best)])
            steps *= 10
        return 0

    cdef int search_alone(self) except -1:
        """Every kind of train by itself; the sum bounds the run."""
        cdef Pricer pricer
        cdef int kind
        cdef double bound, total = 0
        self.alone.clear()
        self.reduced_alone.clear()
        thresholds = [self.lower if self.total == 1 else self.pool.best(kind) for kind in range(self.kinds)]
        self.launch(thresholds, 0 if self.total == 1 else ALONE_STEPS, False)
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            bound = max(pricer.missed, <double>max(pricer.best.revenue, <int>thresholds[kind]))
            self.alone.push_back(max(pricer.best.revenue, <int>thresholds[kind]))
            self.reduced_alone.push_back(bound)
            total += self.trains[kind] * bound
        self.upper = min(self.upper, total)
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            if pricer.best.revenue > 0:
                self.pool.add(kind, pricer, &pricer.best)
                self.offer(pricer.best.revenue, [self.route_of(kind, pricer, &pricer.best)])
        return 0

    cdef int launch(self, list thresholds, long long steps, bint priced) except -1:
        """Run each kind's pricer for its best route above its threshold, within ``steps`` (0: no limit).

        Kinds do not depend on each other, so with threads they run side by side, each with a control of
        its own; the answers are the same. ``whole``: which of them ran to the end.
        """
        cdef int kind
        cdef long long limit
        self.whole = []
        if self.threads == 1 or self.kinds == 1 or self.control.node_limit:
            for kind in range(self.kinds):
                limit = self.begin_budget(steps)
                self.run_kind(kind, thresholds[kind], priced)
                self.whole.append(not self.end_budget(limit))
            return 0
        for kind in range(self.kinds):
            self.controls[kind] = self.control
            self.controls[kind].nodes = 0
            self.controls[kind].node_limit = steps
            (<Pricer>self.pricers[kind]).control = &self.controls[kind]
        with ThreadPoolExecutor(min(self.threads, self.kinds)) as executor:
            list(executor.map(self.run_kind, range(self.kinds), thresholds, [priced] * self.kinds))
        for kind in range(self.kinds):
            (<Pricer>self.pricers[kind]).control = &self.control
            self.control.nodes += self.controls[kind].nodes
            if self.controls[kind].reason and self.controls[kind].reason != OUT_OF_NODES:
                self.control.reason = self.controls[kind].reason
            self.whole.append(self.controls[kind].reason == 0)
        return 0

    cpdef run_kind(self, int kind, double threshold, bint priced):
        """Run one kind's pricer; other threads may run meanwhile."""
        cdef Pricer pricer = self.pricers[kind]
        with nogil:
            if priced:
                pricer.set_prices(self.prices.data())
            pricer.run(NULL, threshold, False, 0)

    cdef tuple route_of(self, int kind, Pricer pricer, Column* column):
        cdef int i
        arcs = tuple([pricer.paths[column.path + i] for i in range(column.count)])
        return kind, column.root, column.arm, arcs, column.revenue, column.claims

    cdef int offer(self, int revenue, list routes) except -1:
        """Take a set as the best so far if it is."""
        if revenue > self.lower:
            self.lower = revenue
            self.found = [(revenue, routes)]
            if self.listener is not None:
                self.listener(self.found[0], max(self.upper, self.lower))
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
        """One train after the other takes its best route (after prices, if the pricers have any)."""
        cdef Pricer pricer
        cdef vector[uint64_t] taken
        cdef int kind, i, claims = 0
        cdef long long limit
        taken.assign(self.words, 0)
        routes = []
        revenue = 0
        for kind in order:
            for i in range(self.trains[kind]):
                limit = self.begin_budget(GREEDY_STEPS)
                pricer = self.best_besides(kind, taken.data(), claims)
                self.end_budget(limit)
                if pricer.best.revenue <= 0:
                    break
                revenue += pricer.best.revenue
                claims |= pricer.best.claims
                routes.append(self.route_of(kind, pricer, &pricer.best))
                self.pool.add(kind, pricer, &pricer.best)
                pricer.mask_onto(&pricer.best, taken.data())
        return self.offer(revenue, routes)

    cdef Pricer best_besides(self, int kind, const uint64_t* taken, int claims):
        """Run a pricer for the best route besides the track and the bonuses taken."""
        cdef Pricer pricer = self.pricers[kind]
        pricer.taken_claims = claims
        with nogil:
            pricer.run(taken, 0, False, 0)
        pricer.taken_claims = 0
        return pricer

    cdef int polish(self) except -1:
        """Let two trains at a time look for something better beside the others' routes."""
        cdef int i, j
        cdef long long limit = self.begin_budget(POLISH_STEPS * self.effort)
        better = True
        for kind in range(self.kinds):
            (<Pricer>self.pricers[kind]).set_prices(NULL)
        while better and self.control.reason == 0 and self.found:
            better = False
            routes = self.found[0][1]
            slots = [kind for kind in range(self.kinds) for _ in range(self.trains[kind])]
            for route in routes:
                slots.remove(route[0])
            rows = [(route[0], route) for route in routes] + [(kind, None) for kind in slots]
            for i in range(len(rows)):
                for j in range(len(rows)):
                    if i != j and self.polish_pair(rows, i, j):
                        better = True
                        break
                if better or self.control.reason:
                    break
        self.end_budget(limit)
        return 0

    cdef bint polish_pair(self, list rows, int i, int j) except -1:
        """Take two trains' routes away; the one chooses anew, then the other."""
        cdef Pricer pricer
        cdef vector[uint64_t] taken
        cdef int k, claims = 0, revenue = 0
        taken.assign(self.words, 0)
        routes = []
        for k in range(len(rows)):
            kind, route = rows[k]
            if k in (i, j) or route is None:
                continue
            pricer = self.pricers[kind]
            pricer.route_mask(route[1], route[3], route[5], taken.data())
            revenue += route[4]
            claims |= route[5]
            routes.append(route)
        for k in (i, j):
            pricer = self.best_besides(rows[k][0], taken.data(), claims)
            if self.control.reason:
                return False
            if pricer.best.revenue > 0:
                revenue += pricer.best.revenue
                claims |= pricer.best.claims
                routes.append(self.route_of(rows[k][0], pricer, &pricer.best))
                self.pool.add(rows[k][0], pricer, &pricer.best)
                pricer.mask_onto(&pricer.best, taken.data())
        if revenue <= self.lower:
            return False
        self.offer(revenue, routes)
        return True

    cdef bint combine_all(self, const double* prices, int room, long long steps) except -1:
        """Collect every route that can be part of a better set, and combine them.

        The pricers are set to these prices (NULL: none), and ``reduced_alone`` bounds each kind. False
        if there are more than ``room`` routes of a kind, or it takes more than ``steps`` (0: no limit).
        """
        cdef Pricer pricer
        cdef int kind, i, n
        cdef long long limit = 0
        cdef double spare, total = self.total_price() if prices != NULL else 0, threshold
        cdef vector[uint64_t] mask
        mask.resize(self.words)
        for kind in range(self.kinds):
            total += self.trains[kind] * self.reduced_alone[kind]
        spare = total - (self.lower + self.granularity)
        if spare < -1e-6:
            self.upper = min(self.upper, total)
            return True
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
        # Kinds with few routes first: the others' lists shrink the sooner.
        self.order = sorted(range(self.kinds), key=lambda kind: ((<Pricer>self.pricers[kind]).columns.size(), kind))
        self.combiner.start(&self.control, self.words, prices, self.lower, self.keep, self.granularity)
        for kind in self.order:
            pricer = self.pricers[kind]
            self.combiner.add_pool(self.trains[kind])
            n = <int>pricer.columns.size()
            with nogil:
                for i in range(n):
                    pricer.mask_of(&pricer.columns[i], mask.data())
                    self.combiner.add(pricer.columns[i].revenue, pricer.columns[i].reduced, mask.data())
            if out_of_time(&self.control):
                return True
        limit = self.begin_budget(steps)
        with nogil:
            self.combiner.run()
        self.take_found()
        if self.end_budget(limit):
            return False
        if self.control.reason:
            self.upper = min(self.upper, max(self.combiner.missed, <double>self.lower))
        else:
            self.upper = self.lower
        return True

    cdef int take_found(self) except -1:
        """Read the combiner's sets; its columns are those of the pricers, kind by kind in ``order``."""
        cdef Pricer pricer
        cdef int s, at, i, column, kind, p
        sets = []
        for s in range(<int>self.combiner.found_at.size()):
            at = self.combiner.found_at[s]
            routes = []
            for i in range(self.combiner.found[at + 1]):
                column = self.combiner.found[at + 2 + i]
                p = 0
                while p + 1 < self.kinds and column >= self.combiner.pools[p + 1].first:
                    p += 1
                kind = self.order[p]
                pricer = self.pricers[kind]
                routes.append(self.route_of(
                    kind, pricer, &pricer.columns[column - self.combiner.pools[p].first]))
            sets.append((self.combiner.found[at], routes))
        if sets and self.keep > 1:
            self.found = sets
            self.lower = max(self.lower, sets[0][0])
        elif sets:
            self.offer(sets[0][0], sets[0][1])
        return 0

    cdef int search_priced(self) except -1:
        """Put prices on the track, so that trains bid for it; then combine what can still be better.

        If there is too much of that, the bidding goes on with more effort.
        """
        cdef int kind
        self.best_bound = self.upper
        self.best_reduced = self.reduced_alone
        self.prices.assign(self.words * 64, 0)
        self.best_prices.assign(self.words * 64, 0)
        self.effort = 1
        while True:
            self.bid()
            if self.control.reason or self.settled():
                return 0
            self.prices = self.best_prices
            self.reduced_alone = self.best_reduced
            for kind in range(self.kinds):
                (<Pricer>self.pricers[kind]).set_prices(self.prices.data())
            if self.combine_all(self.prices.data(), MANY, 0) or self.control.reason:
                return 0
            if self.effort >= MOST_EFFORT:
                self.control.reason = FULL
                return 0
            self.effort *= 8

    cdef int bid(self) except -1:
        """Move the prices until the bound stops falling.

        For any prices, the prices of all resources plus the best reduced value of each train is a
        bound (Lagrangian relaxation). Known routes tune the prices; exact pricing makes the bound
        valid and brings the routes that were missing.
        """
        cdef int round_, stale = 0
        cdef double bound
        for round_ in range(ROUNDS):
            with nogil:
                self.pool.reprice(self.prices.data())
                self.pool.choose(ACTIVE)
                self.pool.tune(self.prices.data(), self.trains.data(), self.lower, STEPS, &self.control)
            bound = self.price_all()
            if self.control.reason:
                break
            stale += 1
            if bound < self.best_bound - 1e-6:
                if bound < self.best_bound - 0.02 * self.granularity:
                    stale = 0
                self.best_bound = bound
                self.best_prices = self.prices
                self.best_reduced = self.reduced_alone
                self.upper = min(self.upper, bound)
            if self.settled():
                return 0
            if round_ % 3 == 0:
                self.greedy()
            self.combine_pool()
            if stale == PATIENCE // 2:
                self.polish()
            if self.control.reason or self.settled() or not self.grew or stale >= PATIENCE:
                break
        return 0

    cdef double total_price(self):
        cdef double total = 0
        cdef int bit
        for bit in range(<int>self.prices.size()):
            total += self.prices[bit]
        return total

    cdef double price_all(self) except? -1:
        """Find each kind's best route at these prices; return the bound they prove."""
        cdef Pricer pricer
        cdef int kind, i
        cdef long long limit
        cdef double total = self.total_price(), best, missed
        self.grew = False
        self.pool.reprice(self.prices.data())
        known = [self.pool.best(kind) for kind in range(self.kinds)]
        self.launch(known, PRICE_STEPS * self.effort, True)
        if self.control.reason:
            return 0
        for kind in range(self.kinds):
            pricer = self.pricers[kind]
            best = known[kind]
            missed = pricer.missed
            if pricer.best.revenue > 0:
                best = max(best, pricer.best.reduced)
                self.grew = True
                self.pool.add(kind, pricer, &pricer.best)
                # Near-best routes come along: they save rounds.
                limit = self.begin_budget(PRICE_STEPS * self.effort)
                with nogil:
                    pricer.run(NULL, best - 2 * self.granularity, True, NEAR)
                    for i in range(<int>pricer.columns.size()):
                        self.pool.add(kind, pricer, &pricer.columns[i])
                self.end_budget(limit)
            if not self.whole[kind]:
                best = max(best, missed)
            self.reduced_alone[kind] = best
            total += self.trains[kind] * best
        return total

    cdef int combine_pool(self) except -1:
        """Look for a better set among the routes known so far, within a few steps."""
        cdef int kind, i, k
        cdef long long limit
        cdef vector[int] order
        cdef Known* known
        self.pool.reprice(self.prices.data())
        self.combiner.start(&self.control, self.words, self.prices.data(), self.lower, 1, self.granularity)
        for kind in range(self.kinds):
            self.combiner.add_pool(self.trains[kind])
            for i in range(<int>self.pool.routes.size()):
                known = &self.pool.routes[i]
                if known.kind == kind:
                    self.combiner.add(known.revenue, known.reduced, &self.pool.masks[i * self.words])
                    order.push_back(i)
        limit = self.begin_budget(POOL_STEPS)
        with nogil:
            self.combiner.run()
        self.end_budget(limit)
        for i in range(<int>self.combiner.found_at.size()):
            at = self.combiner.found_at[i]
            routes = []
            for k in range(self.combiner.found[at + 1]):
                known = &self.pool.routes[order[self.combiner.found[at + 2 + k]]]
                arcs = tuple([self.pool.arcs[known.path + n] for n in range(known.count)])
                routes.append((known.kind, known.root, known.arm, arcs, known.revenue, known.claims))
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
            complete = self.combine_all(NULL, MANY, 0)
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
