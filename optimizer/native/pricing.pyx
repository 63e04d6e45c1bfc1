# cython: language_level=3
# distutils: language = c++
"""Depth-first branch and bound over the routes of one kind of train.

A route is grown from a token (the *root*): a first arm, then a second one. Tokens of earlier roots
are closed, and the second arm leaves the root by a later arc than the first, so each route is met
once. ``run`` finds the route with the largest revenue minus price, or collects every route that is
worth at least the threshold.
"""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.bits cimport add_bits, disjoint, has_bit, merge, set_bit
from optimizer.native.bounds cimport MAX_PAID, Bounds
from optimizer.native.custom cimport (
    FIELDS, NOT_ALLOWED, ROW_AMOUNT, ROW_COUNTED, ROW_PAID, ROW_ROUTE, rest_bound, see_route,
)
from optimizer.native.pay cimport (
    MAX_VISITS, Visit, best_pay, bonus_value, company_claims, custom_value, rows_fit,
)
from optimizer.native.train_graph cimport (
    MODE_ALL, MODE_BEST, MODE_LIMITED, STOP_FOREIGN, STOP_IGNORED, STOP_NO_END, STOP_SOME_END, STOP_WORTHLESS, TG, Arc,
    Edge, TrainGraph,
)


cdef extern from *:
    """
    #include <time.h>
    static double rh_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    """
    double rh_now() noexcept nogil


cdef double NOTHING = -1e18

cdef enum:
    NO_STOP = -2          # no walk's first step leads there


cdef double now() noexcept nogil:
    """Seconds of the monotonic clock."""
    return rh_now()


cdef bint over(Control* control) noexcept nogil:
    """Count a step; tell whether a limit was reached or the caller gave up."""
    if control.reason:
        return True
    control.nodes += 1
    if control.node_limit and control.nodes >= control.node_limit:
        control.reason = OUT_OF_NODES
    elif control.nodes & 127 == 0:
        if control.stop[0]:
            control.reason = STOPPED
        elif control.deadline > 0 and rh_now() >= control.deadline:
            control.reason = OUT_OF_TIME
    return control.reason != 0


cdef bint out_of_time(Control* control) noexcept nogil:
    """Look at the clock and the stop flag now, without counting a step."""
    if control.reason == 0:
        if control.stop[0]:
            control.reason = STOPPED
        elif control.deadline > 0 and rh_now() >= control.deadline:
            control.reason = OUT_OF_TIME
    return control.reason != 0


cdef class Pricer:
    """Search over one train graph; all of it runs without the interpreter."""

    cdef void setup(self, TrainGraph graph, Control* control, int claim_bit):
        cdef int depth = graph.tg.nodes + 4
        self.graph = graph
        self.g = &graph.tg
        self.control = control
        self.claim_bit = claim_bit
        self.bounds = Bounds.__new__(Bounds)
        self.used.assign((depth + 1) * self.g.words, 0)
        self.arcs.assign(depth, 0)
        self.have.assign(depth, 0)
        self.deep.assign(depth, 0)
        self.slack_at.assign(depth, self.g.slack)
        self.price_at.assign(depth, 0)
        self.tops.assign(depth * MAX_PAID, 0)
        self.marks.assign(2 * depth, 0)
        self.excluded.assign(self.g.words, 0)

    cdef void set_prices(self, const double* prices) noexcept nogil:
        """Set what each resource costs (NULL: nothing) and prepare the bounds."""
        cdef TG* g = self.g
        cdef int a, bit, n = g.arc_first[g.nodes]
        self.priced = prices != NULL
        self.prices.clear()
        for bit in range(g.resource_words * 64 if self.priced else 0):
            self.prices.push_back(prices[bit])
        for a in range(n):
            g.arcs[a].price = 0
            if self.priced:
                g.arcs[a].price = self.price_of(&g.arc_mask[a * g.words])
        self.bounds.prepare(g, g.limit if g.mode == MODE_LIMITED else g.paid)

    cdef double price_of(self, const uint64_t* mask) noexcept nogil:
        cdef double total = 0
        cdef int bit
        for bit in range(<int>self.prices.size()):
            if self.prices[bit] > 0 and has_bit(mask, bit):
                total += self.prices[bit]
        return total

    cdef void run(self, const uint64_t* taken, double threshold, bint collecting, int room) noexcept nogil:
        """Search with ``taken`` resources closed.

        Optimum: ``best`` (revenue -1 if nothing beats the threshold). Collecting: ``columns``, at
        most ``room``. ``missed``: a bound on all routes that were not looked at.
        """
        cdef TG* g = self.g
        cdef int v, w
        self.collecting = collecting
        self.room = room
        self.step = 1e-7
        if not collecting and not self.priced:
            self.step = g.granularity - 0.5
        self.cut = threshold - 1e-7 if collecting else threshold + self.step
        self.missed = NOTHING
        self.best.revenue = -1
        self.best.reduced = threshold
        self.started = self.control.nodes
        self.columns.clear()
        self.paths.clear()
        self.full = False
        for w in range(g.words):
            self.excluded[w] = taken[w] if w < g.resource_words and taken != NULL else 0
        for v in range(g.nodes):
            if not g.requires_token or g.token[v]:
                self.from_root(v)
                set_bit(self.excluded.data(), g.resource_words * 64 + g.node_stop[v])

    cdef void from_root(self, int root) noexcept nogil:
        cdef TG* g = self.g
        cdef double bound
        if not disjoint(self.excluded.data(), &g.node_mask[root * g.words], g.words):
            return
        if g.cost[root] > g.limit:
            return
        self.root = root
        self.root_ends = False
        merge(self.used.data(), self.excluded.data(), &g.node_mask[root * g.words], g.words)
        self.marks[0] = g.marks[2 * root]
        self.marks[1] = g.marks[2 * root + 1]
        self.have[0] = g.gain[root]
        self.price_at[0] = self.price_of(&g.node_mask[root * g.words]) if self.priced else 0
        self.note_top(0, g.gain[root])
        bound = self.deep_bound(0, root, g.gain[root] - self.price_at[0], False, g.cost[root])
        if bound <= self.cut:
            return
        if self.control.reason or self.full:
            self.missed = max(self.missed, bound)
            return
        self.try_arcs(0, root, g.cost[root], g.value[root], g.gain[root] - self.price_at[0], False,
                      g.arc_first[root])

    cdef void try_arcs(self, int depth, int node, int count, int exact, double sum_, bint second,
                       int start) noexcept nogil:
        """Extend the route by each arc of ``node`` that is free and promises enough."""
        cdef TG* g = self.g
        cdef int a
        cdef Arc* arc
        cdef uint64_t* used = &self.used[depth * g.words]
        cdef double bound
        for a in range(start, g.arc_first[node + 1]):
            arc = &g.arcs[a]
            if (arc.first and depth > 0) or count + arc.cost > g.limit:
                continue
            if not disjoint(used, &g.arc_mask[a * g.words], g.words):
                continue
            bound = self.bound(depth, arc, node, count, sum_, second)
            if bound <= self.cut:
                continue
            if over(self.control) or self.full:
                self.missed = max(self.missed, bound)
                continue
            if depth == 0:
                self.root_ends = arc.first
            self.arcs[depth] = a
            merge(&self.used[(depth + 1) * g.words], used, &g.arc_mask[a * g.words], g.words)
            self.marks[2 * depth + 2] = self.marks[2 * depth] | g.edges[arc.edge].marks[0]
            self.marks[2 * depth + 3] = self.marks[2 * depth + 1] | g.edges[arc.edge].marks[1]
            if arc.to >= 0:
                self.marks[2 * depth + 2] |= g.marks[2 * arc.to]
                self.marks[2 * depth + 3] |= g.marks[2 * arc.to + 1]
            self.have[depth + 1] = g.gain[arc.to] if arc.to >= 0 and (g.by_order or not arc.ferry) else 0
            self.price_at[depth + 1] = self.price_at[depth] + arc.price
            if g.mode == MODE_BEST:
                self.note_top(depth + 1, self.have[depth + 1])
            self.descend(depth + 1, arc.to, count + arc.cost, exact + arc.exact,
                         sum_ + arc.gain - arc.price, second)

    cdef void descend(self, int depth, int node, int count, int exact, double sum_, bint second) noexcept nogil:
        """Look at the route so far, then lengthen this arm, then start the second one."""
        cdef TG* g = self.g
        cdef bint last = g.arcs[self.arcs[depth - 1]].last
        cdef bint more = not second and g.open_[self.root] and not self.root_ends
        cdef int kept = self.arm
        if not second:
            self.arm = depth
        if not g.simple_rows and not self.fits(depth):
            self.arm = kept
            return
        self.consider(depth, node, count, exact, sum_)
        if not last or more:
            if self.deep_bound(depth, node if not last else -1, sum_, second, count) > self.cut:
                if not last:
                    self.try_arcs(depth, node, count, exact, sum_, second, g.arc_first[node])
                if more:
                    self.arm = depth
                    self.try_arcs(depth, self.root, count, exact, sum_, True, self.arcs[0] + 1)
        self.arm = kept

    cdef double bound(self, int depth, Arc* arc, int node, int count, double sum_, bint second) noexcept nogil:
        """Bound on every route that goes on over ``arc``."""
        cdef TG* g = self.g
        cdef int left = g.limit - count - arc.cost, j, first
        cdef double total = sum_ + arc.gain - arc.price, best, here, value
        if g.mode != MODE_LIMITED or not self.bounds.usable:
            return self.deep[depth]
        if second or not g.open_[self.root] or self.root_ends or (depth == 0 and arc.first):
            here = g.fill * left if arc.last else self.bounds.ahead(arc.to, node, left)
            return total + here + self.slack_at[depth]
        first = arc.to if depth == 0 else g.arcs[self.arcs[0]].to
        if first < 0:
            first = NO_STOP  # both arms may be tails: they end at two towns
        best = NOTHING
        for j in range(left + 1):
            here = g.fill * j if arc.last else self.bounds.ahead(arc.to, node, j)
            value = here + self.bounds.ahead(self.root, first, left - j)
            best = max(best, value)
        return total + best + self.slack_at[depth]

    cdef double deep_bound(self, int depth, int node, double sum_, bint second, int count) noexcept nogil:
        """Bound on every route that goes on from here, by the stops that are still free."""
        cdef TG* g = self.g
        cdef uint64_t* used = &self.used[depth * g.words]
        cdef int other = self.root if not second and depth > 0 else -1
        cdef double total
        cdef bint walked = False
        if g.custom_bounded:
            # Amounts are shown at their highest: with every doubling.
            self.doubling = (1 << g.doublings) - 1
            self.backward = False
            self.see(depth)
            self.slack_at[depth] = g.slack + rest_bound(g, &self.view)
        if other >= 0 and (not g.open_[other] or self.root_ends):
            other = -1
        if node < 0:
            node = other
            other = -1
        if self.bounds.walkable and not self.bounds.walks_ready and (
                self.control.nodes - self.started > SMALL_RUN):
            self.bounds.fill_walks()
        walked = self.bounds.walks_ready
        if walked:
            # At the root both arms are still to come.
            total = self.walk_bound(depth, node, node if depth == 0 else other, used, sum_, count)
            self.deep[depth] = total
            if total <= self.cut:
                return total
        if g.mode == MODE_BEST:
            total = self.bounds.reach_best(node, other, used, self.have.data(), depth + 1, g.paid,
                                           2 if depth == 0 or other >= 0 else 1)
            total -= self.price_at[depth]
        elif g.mode == MODE_ALL:
            total = sum_ + (self.bounds.chain_of_blocks(node, other, used) if node >= 0 else 0)
            if depth == 0:
                # The root's two arms may lie in two blocks.
                total = max(total, sum_ + self.bounds.within + self.bounds.first + self.bounds.second)
        else:
            total = sum_ + self.bounds.top(used, g.limit - count, 2 if depth == 0 or not second else 1)
        total += self.slack_at[depth]
        if walked:
            total = min(total, self.deep[depth])
        self.deep[depth] = total
        return total

    cdef double walk_bound(self, int depth, int node, int other, const uint64_t* used, double sum_,
                           int count) noexcept nogil:
        """The bound by tabled walks."""
        cdef TG* g = self.g
        if g.mode == MODE_BEST:
            return self.slack_at[depth] - self.price_at[depth] + self.bounds.best_ahead(
                node, other, used, &self.tops[depth * MAX_PAID], g.paid)
        return self.slack_at[depth] + sum_ + self.bounds.limited_ahead(node, other, used, g.limit - count)

    cdef void note_top(self, int depth, double value) noexcept nogil:
        """Enter a visited stop into the sorted list of the best ones."""
        cdef double* out = &self.tops[depth * MAX_PAID]
        cdef int i = MAX_PAID - 1, k
        for k in range(MAX_PAID):
            out[k] = self.tops[(depth - 1) * MAX_PAID + k] if depth > 0 else 0
        if value <= out[i]:
            return
        while i > 0 and out[i - 1] < value:
            out[i] = out[i - 1]
            i -= 1
        out[i] = value

    cdef bint fits(self, int depth) noexcept nogil:
        """Whether the visits fit into the train's rows."""
        cdef TG* g = self.g
        cdef int counts[3]
        cdef int i
        cdef Arc* arc
        counts[0] = 0
        counts[1] = 0
        counts[2] = 0
        counts[g.kind[self.root]] += g.cost[self.root]
        for i in range(depth):
            arc = &g.arcs[self.arcs[i]]
            if arc.to >= 0 and not arc.ferry:
                counts[g.kind[arc.to]] += g.cost[arc.to]
        return rows_fit(g, counts)

    cdef bint only_ferries(self, int depth) noexcept nogil:
        """Whether the route never leaves stops that count as one."""
        cdef int i
        for i in range(depth):
            if not self.g.arcs[self.arcs[i]].ferry:
                return False
        return True

    cdef int end_stop(self, int depth, int which) noexcept nogil:
        """The stop at the end of the first arm (0) or of the second one (1; else the root)."""
        cdef TG* g = self.g
        cdef int at = self.arm if which == 0 else depth
        cdef Arc* arc
        cdef Edge* edge
        cdef int chain
        if which == 1 and depth == self.arm:
            return g.node_stop[self.root]
        arc = &g.arcs[self.arcs[at - 1]]
        if arc.to >= 0:
            return g.node_stop[arc.to]
        edge = &g.edges[arc.edge]
        chain = g.edge_chains[edge.first + edge.count - 1]
        if chain & 1:
            return self.graph.net.chains[chain >> 1].a
        return self.graph.net.chains[chain >> 1].b

    cdef int active_doublings(self, int stop_a, int stop_b) noexcept nogil:
        """Bits of the doublings that these two ends of the route allow."""
        cdef TG* g = self.g
        cdef int i, found = 0, a, b
        if g.doublings == 0:
            return 0
        a = self.graph.stop_double[stop_a]
        b = self.graph.stop_double[stop_b]
        for i in range(g.doublings):
            if g.double_mode[i] == 0:
                found |= 1 << i
            elif g.double_mode[i] == 1:
                found |= ((a >> (8 + i)) & (b >> (8 + i)) & 1) << i
            else:
                found |= (((a >> (8 + i)) & (b >> (16 + i)) & 1)
                          | ((a >> (16 + i)) & (b >> (8 + i)) & 1)) << i
        return found

    cdef int factor(self, int stop) noexcept nogil:
        """What the doublings make of a stop's figure."""
        cdef int i, product = 1, bits = self.doubling & self.graph.stop_double[stop]
        for i in range(self.g.doublings):
            if (bits >> i) & 1:
                product *= self.g.double_factor[i]
        return product

    cdef void consider(self, int depth, int node, int count, int exact, double sum_) noexcept nogil:
        """Score the route as it stands, if its ends are allowed and it may be good enough."""
        cdef TG* g = self.g
        cdef int stop_a, stop_b, claims, chosen
        cdef unsigned char ends
        if g.mode == MODE_LIMITED and sum_ + g.fill * (g.limit - count) + self.slack_at[depth - 1] <= self.cut:
            return
        if g.mode == MODE_ALL and sum_ + self.slack_at[depth - 1] <= self.cut:
            return
        if g.has_ferry and self.only_ferries(depth):
            return
        stop_a = self.end_stop(depth, 0)
        stop_b = self.end_stop(depth, 1)
        ends = self.graph.stop_flags[stop_a] | self.graph.stop_flags[stop_b]
        if ends & STOP_NO_END or (g.some_end and not ends & STOP_SOME_END):
            return
        self.doubling = self.active_doublings(stop_a, stop_b)
        claims = company_claims(g, &self.marks[2 * depth])
        claims &= ~self.taken_claims
        chosen = claims
        while True:
            # Each set of bonuses that only one route of the run may take is a variant of its own.
            self.score(depth, exact, chosen)
            if chosen == 0:
                break
            chosen = (chosen - 1) & claims

    cdef void score(self, int depth, int exact, int claims) noexcept nogil:
        cdef double price = self.price_at[depth]
        cdef int value, other, bit
        self.backward = False
        value = self.revenue(depth, exact, claims)
        if self.g.by_order or self.g.both_ways:  # the better one of the two directions
            self.backward = True
            other = self.revenue(depth, exact, claims)
            self.backward = other > value
            value = max(value, other)
        if value < 0:
            return
        if self.priced:
            for bit in range(8):
                if (claims >> bit) & 1:
                    price += self.prices[self.claim_bit + bit]
        if value - price > self.cut:
            self.keep(depth, value, value - price, claims)

    cdef int revenue(self, int depth, int exact, int claims) noexcept nogil:
        """Revenue of the route as it stands; -1 if it is not allowed to earn."""
        cdef TG* g = self.g
        cdef Visit visits[MAX_VISITS]
        cdef uint64_t marks[2]
        cdef uint64_t every[2]
        cdef int n, i, total
        cdef bint token = not g.pay_needs_token
        marks[0] = self.marks[2 * depth]
        marks[1] = self.marks[2 * depth + 1]
        if g.pay_all and g.doublings == 0 and not g.by_order:
            total = exact + bonus_value(g, marks, claims)
            if g.customs == 0:
                return total
            total = self.with_rules(depth, total, marks, claims)
            if total > 0:
                return total
            # Else it may be better to be paid for fewer stops.
        n = self.visits_in_order(depth, visits, marks) if g.by_order else self.visits(depth, visits, marks)
        if n < 0:
            return -1
        if g.custom_reading:
            self.see(depth)
        if not g.pay_all:
            return best_pay(g, visits, n, marks, claims, &self.view)
        total = 0
        every[0] = marks[0]
        every[1] = marks[1]
        for i in range(n):
            total += visits[i].value
            every[0] |= visits[i].marks[0]
            every[1] |= visits[i].marks[1]
            token |= visits[i].token
        if not token:
            return -1
        total += bonus_value(g, every, claims)
        if g.customs == 0:
            return total
        total = self.with_rules(depth, total, every, claims)
        if total > 0:
            return total
        return best_pay(g, visits, n, marks, claims, &self.view)

    cdef void see(self, int depth) noexcept nogil:
        """Describe the route as it stands to Python rules."""
        cdef int i
        cdef View* view = &self.view
        see_route(self.graph, view, self.root, self.arm, self.arcs.data(), depth, self.backward)
        if self.doubling:
            for i in range(view.size):
                view.rows[i * FIELDS + ROW_AMOUNT] *= self.factor(view.stop[i])

    cdef int with_rules(self, int depth, int revenue, const uint64_t* marks, int claims) noexcept nogil:
        """Add what Python rules bring if every counted stop is paid."""
        cdef TG* g = self.g
        cdef int i
        if g.custom_reading:
            self.see(depth)
            for i in range(self.view.size):
                self.view.rows[i * FIELDS + ROW_PAID] = self.view.rows[i * FIELDS + ROW_COUNTED]
        return revenue + custom_value(g, &self.view, revenue, marks, claims)

    cdef void column_view(self, Column* column, vector[long long]* out) noexcept nogil:
        """Append what rules about whole runs see of a route whose counted stops are all paid.

        Train, multiplier, revenue without claims, number of rows, and the rows with the number of
        their stop in ROW_ROUTE.
        """
        cdef TG* g = self.g
        cdef int i, row, depth = column.count
        cdef long long revenue = 0
        cdef uint64_t marks[2]
        cdef Arc* arc
        self.root = column.root
        self.arm = column.arm
        marks[0] = g.marks[2 * self.root]
        marks[1] = g.marks[2 * self.root + 1]
        for i in range(depth):
            self.arcs[i] = self.paths[column.path + i]
            arc = &g.arcs[self.arcs[i]]
            marks[0] |= g.edges[arc.edge].marks[0]
            marks[1] |= g.edges[arc.edge].marks[1]
            if arc.to >= 0:
                marks[0] |= g.marks[2 * arc.to]
                marks[1] |= g.marks[2 * arc.to + 1]
        self.backward = False
        self.doubling = 0
        self.see(depth)
        self.doubling = self.active_doublings(self.view.stop[0], self.view.stop[self.view.size - 1])
        self.see(depth)
        for i in range(self.view.size):
            revenue += self.view.rows[i * FIELDS + ROW_AMOUNT]
        revenue += bonus_value(g, marks, 0)
        out.push_back(g.custom_head[0])
        out.push_back(g.custom_head[1])
        out.push_back(revenue)
        out.push_back(self.view.size)
        for i in range(self.view.size):
            row = i * FIELDS
            self.view.rows[row + ROW_PAID] = self.view.rows[row + ROW_COUNTED] if column.revenue > 0 else 0
            self.view.rows[row + ROW_ROUTE] = self.view.stop[i]
        for i in range(self.view.size * FIELDS):
            out.push_back(self.view.rows[i])

    cdef void visit(self, Visit* out, int stop, bint token) noexcept nogil:
        out.value = self.graph.stop_value[stop]
        if self.doubling:
            out.value *= self.factor(stop)
        out.kind = self.graph.net.stop_kind[stop]
        out.token = token
        out.stop = stop
        out.marks[0] = self.graph.stop_marks[2 * stop]
        out.marks[1] = self.graph.stop_marks[2 * stop + 1]

    cdef void add_side_marks(self, int depth, uint64_t* marks) noexcept nogil:
        """Add the credits for the sides by which the route enters and leaves its stops."""
        cdef TG* g = self.g
        cdef int i, j, unused = 0
        cdef Edge* edge
        if self.graph.entry_sides.empty():
            return
        for i in range(depth):
            edge = &g.edges[g.arcs[self.arcs[i]].edge]
            for j in range(edge.count):
                self.graph.chain_marks(self.graph.edge_chains[edge.first + j] >> 1, marks, &unused)

    cdef int list_towns(self, int at, int* stops, char* joined, int n, bint outwards) noexcept nogil:
        """Append the free towns of arc number ``at``, from the root outwards or inwards."""
        cdef TG* g = self.g
        cdef Arc* arc = &g.arcs[self.arcs[at]]
        cdef Edge* edge = &g.edges[arc.edge]
        cdef int near = self.root if at == 0 or at == self.arm else g.arcs[self.arcs[at - 1]].to
        cdef int towns = edge.count - (1 if arc.to >= 0 else 0), j, chain
        cdef bint along = (edge.a == near) == outwards
        for j in range(towns):
            chain = self.graph.edge_chains[edge.first + (j if along else towns - 1 - j)]
            if n < MAX_VISITS:
                stops[n] = self.graph.net.chains[chain >> 1].a if chain & 1 else self.graph.net.chains[chain >> 1].b
                joined[n] = 0
                n += 1
        return n

    cdef int list_order(self, int depth, int* stops, char* joined) noexcept nogil:
        """List all visited stops along the route; ``joined``: counts as one with the next in the list."""
        cdef TG* g = self.g
        cdef Arc* arc
        cdef int n = 0, i
        for i in range(self.arm - 1, -1, -1):
            arc = &g.arcs[self.arcs[i]]
            if arc.to >= 0 and n < MAX_VISITS:
                stops[n] = g.node_stop[arc.to]
                joined[n] = arc.ferry
                n += 1
            n = self.list_towns(i, stops, joined, n, False)
        if n < MAX_VISITS:
            stops[n] = g.node_stop[self.root]
            joined[n] = self.arm < depth and g.arcs[self.arcs[self.arm]].ferry
            n += 1
        for i in range(self.arm, depth):
            n = self.list_towns(i, stops, joined, n, True)
            arc = &g.arcs[self.arcs[i]]
            if arc.to >= 0 and n < MAX_VISITS:
                stops[n] = g.node_stop[arc.to]
                joined[n] = i + 1 < depth and g.arcs[self.arcs[i + 1]].ferry
                n += 1
        return n

    cdef int visits_in_order(self, int depth, Visit* out, uint64_t* marks) noexcept nogil:
        """List the counted stops where order matters: of joined stops the first one counts.

        -1 if there are more than the train may visit.
        """
        cdef TG* g = self.g
        cdef int stops[MAX_VISITS]
        cdef char joined[MAX_VISITS]
        cdef bint paid_ferry[MAX_VISITS]
        cdef int counts[3]
        cdef int m = self.list_order(depth, stops, joined), n = 0, k, at, stop
        cdef bint merged
        marks[0] = 0
        marks[1] = 0
        self.add_side_marks(depth, marks)
        counts[0] = 0
        counts[1] = 0
        counts[2] = 0
        for k in range(m):
            at = m - 1 - k if self.backward else k
            stop = stops[at]
            merged = k > 0 and joined[at if self.backward else at - 1]
            if self.graph.stop_flags[stop] & STOP_IGNORED:
                continue
            if merged:
                if n > 0 and self.graph.net.stop_hex[out[n - 1].stop] == self.graph.net.stop_hex[stop]:
                    if not paid_ferry[n - 1]:
                        self.take_penalty(&out[n - 1])
                    paid_ferry[n - 1] = True
                    out[n - 1].token |= self.graph.net.token[stop]
                continue
            self.visit(&out[n], stop, self.graph.net.token[stop])
            counts[out[n].kind] += self.graph.net.stop_cost[stop]
            paid_ferry[n] = False
            if self.graph.stop_flags[stop] & STOP_FOREIGN and 0 < k < m - 1:
                self.take_penalty(&out[n])
                paid_ferry[n] = True
            if not g.marks_need_pay:
                marks[0] |= out[n].marks[0]
                marks[1] |= out[n].marks[1]
            n += 1
        return n if rows_fit(g, counts) else -1

    cdef void take_penalty(self, Visit* visit) noexcept nogil:
        """Take the price of a ferry off a stop's figure."""
        if not self.graph.stop_flags[visit.stop] & STOP_WORTHLESS:
            visit.value -= self.g.ferry_penalty[visit.kind] * (self.factor(visit.stop) if self.doubling else 1)

    cdef int visits(self, int depth, Visit* out, uint64_t* marks) noexcept nogil:
        """List the counted stops; ``marks`` becomes the credits that need no payment."""
        cdef TG* g = self.g
        cdef int n = 0, i, j, before = -1, chain, stop, penalty
        cdef Arc* arc
        cdef Edge* edge
        if g.marks_need_pay:
            marks[0] = 0
            marks[1] = 0
            self.add_side_marks(depth, marks)
        if not g.flags[self.root] & STOP_IGNORED:
            self.visit(&out[n], g.node_stop[self.root], g.token[self.root])
            n += 1
        before = n - 1
        for i in range(depth):
            arc = &g.arcs[self.arcs[i]]
            edge = &g.edges[arc.edge]
            if i == self.arm:
                before = 0 if not g.flags[self.root] & STOP_IGNORED else -1
            if arc.ferry:
                if before >= 0:
                    penalty = g.ferry_penalty[out[before].kind]
                    if self.doubling:
                        penalty *= self.factor(out[before].stop)
                    out[before].value -= penalty
                    out[before].token |= g.token[arc.to]
                continue
            for j in range(edge.count):
                chain = self.graph.edge_chains[edge.first + j]
                if arc.to >= 0 and j == edge.count - 1:
                    break
                stop = self.graph.net.chains[chain >> 1].a if chain & 1 else self.graph.net.chains[chain >> 1].b
                if n < MAX_VISITS and not self.graph.stop_flags[stop] & STOP_IGNORED:
                    self.visit(&out[n], stop, False)
                    n += 1
            if arc.to >= 0 and n < MAX_VISITS:
                before = -1
                if not g.flags[arc.to] & STOP_IGNORED:
                    self.visit(&out[n], g.node_stop[arc.to], g.token[arc.to])
                    before = n
                    n += 1
        return n

    cdef void keep(self, int depth, int revenue, double reduced, int claims) noexcept nogil:
        """Store the route as the best, or as one more column."""
        cdef Column column
        cdef int i
        column.revenue = revenue
        column.claims = claims
        column.reduced = reduced
        column.arm = self.arm
        column.count = depth
        column.root = self.root
        if not self.collecting:
            self.paths.clear()
        column.path = <int>self.paths.size()
        if self.backward:
            column.arm = depth - self.arm
            for i in range(self.arm, depth):
                self.paths.push_back(self.arcs[i])
            for i in range(self.arm):
                self.paths.push_back(self.arcs[i])
        else:
            for i in range(depth):
                self.paths.push_back(self.arcs[i])
        if not self.collecting:
            self.best = column
            self.cut = reduced + self.step
            return
        self.columns.push_back(column)
        if <int>self.columns.size() >= self.room:
            self.full = True

    cdef void mask_of(self, Column* column, uint64_t* out) noexcept nogil:
        """Write what a route uses up, as resource words."""
        cdef int i
        for i in range(self.g.resource_words):
            out[i] = 0
        self.mask_onto(column, out)

    cdef void mask_onto(self, Column* column, uint64_t* out) noexcept nogil:
        """Add what a route uses up."""
        cdef TG* g = self.g
        cdef int i, words = g.resource_words
        add_bits(out, &g.node_mask[column.root * g.words], words)
        for i in range(column.count):
            add_bits(out, &g.arc_mask[self.paths[column.path + i] * g.words], words)
        for i in range(8):
            if (column.claims >> i) & 1:
                set_bit(out, self.claim_bit + i)

    cdef int route_mask(self, int root, arcs, int claims, uint64_t* out) except -1:
        """Add what a route given by its arcs uses up."""
        cdef TG* g = self.g
        cdef int i, a
        add_bits(out, &g.node_mask[root * g.words], g.resource_words)
        for a in arcs:
            add_bits(out, &g.arc_mask[a * g.words], g.resource_words)
        for i in range(8):
            if (claims >> i) & 1:
                set_bit(out, self.claim_bit + i)
        return 0
