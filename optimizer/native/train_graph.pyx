# cython: language_level=3
# distutils: language = c++
"""The network as one kind of train sees it.

Towns that cost a train nothing are contracted: a *edge* runs from one counted stop to the next through
any towns between them, or ends at a town (a *tail*). Between the same two stops, an edge that uses up
no less and brings no more than another one is left out (not when routes are counted).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from optimizer.native.bits cimport add_bits, disjoint, set_bit, subset
from optimizer.native.network cimport CITY, OFFBOARD, TOWN, Chain, Network


cdef class TrainGraph:
    """Stops, edges and arcs for one kind of train; see :mod:`optimizer.graph.trains` for the input.

    ``spec``: numbers of :class:`TG` in a fixed order; ``values``, ``extras``, ``flags``, ``doubled``,
    ``marks``: a figure a stop (marks: two words); ``sets``: ``count, ferry, stops...`` of stops of which a route
    may visit one; ``entries``: ``side, extra`` a credit, with ``entry_marks`` two words each;
    ``bonuses``: counters and levels. ``keep_all`` turns contraction and domination off.
    ``like``: a graph made from the same numbers but for the train's limits and payment, to copy.
    """

    def __init__(self, Network net, const int[::1] spec, const int[::1] values, const int[::1] extras,
                 const unsigned char[::1] flags, const int[::1] doubled, const uint64_t[::1] marks, const int[::1] sets,
                 const int[::1] entries, const uint64_t[::1] entry_marks, const int[::1] bonuses,
                 bint keep_all, bint keep_parallel, int limit, TrainGraph like=None):
        cdef int i
        self.net = net
        memset(&self.tg, 0, sizeof(TG))
        self.read_spec(spec)
        self.read_sets(sets)
        self.read_bonuses(bonuses)
        for i in range(net.stops):
            self.stop_value.push_back(values[i])
            self.stop_extra.push_back(extras[i])
            self.stop_flags.push_back(flags[i])
            self.stop_double.push_back(doubled[i])
            self.stop_marks.push_back(marks[2 * i])
            self.stop_marks.push_back(marks[2 * i + 1])
        for i in range(entries.shape[0] // 2):
            self.entry_sides.push_back(entries[2 * i])
            self.entry_extra.push_back(entries[2 * i + 1])
            self.entry_marks.push_back(entry_marks[2 * i])
            self.entry_marks.push_back(entry_marks[2 * i + 1])
        if like is not None:
            self.copy_from(like)
            return
        if keep_all:
            for i in range(net.stops):
                self.stop_flags[i] &= ~STOP_FREE
        self.make_masks()
        self.make_nodes()
        self.contracted = not keep_all
        if not self.make_edges(keep_all, limit):
            self.contracted = False
            for i in range(net.stops):
                self.stop_flags[i] &= ~STOP_FREE
            self.make_nodes()
            self.make_edges(True, limit)
        if not keep_all and not keep_parallel:
            self.drop_dominated()
        self.make_arcs()
        self.point()

    cdef void copy_from(self, TrainGraph like):
        """Take over the graph of a kind that differs in its limits and payment only."""
        self.tg.nodes = like.tg.nodes
        self.tg.words = like.tg.words
        self.tg.resource_words = like.tg.resource_words
        self.contracted = like.contracted
        self.stop_flags = like.stop_flags
        self.stop_mask = like.stop_mask
        self.node_of = like.node_of
        self.node_stop = like.node_stop
        self.value = like.value
        self.gain = like.gain
        self.kind = like.kind
        self.cost = like.cost
        self.flags = like.flags
        self.token = like.token
        self.open_ = like.open_
        self.node_mask = like.node_mask
        self.marks = like.marks
        self.edges = like.edges
        self.edge_mask = like.edge_mask
        self.edge_chains = like.edge_chains
        self.arcs = like.arcs
        self.arc_first = like.arc_first
        self.arc_mask = like.arc_mask
        self.pair_first = like.pair_first
        self.pair_to = like.pair_to
        self.pair_arc = like.pair_arc
        self.point()

    cdef void read_spec(self, const int[::1] spec):
        cdef TG* g = &self.tg
        cdef int i
        g.mode = spec[0]
        g.limit = spec[1]
        g.paid = spec[2]
        g.fill = spec[3]
        g.slack = spec[4]
        g.granularity = spec[5]
        g.simple_rows = spec[6]
        g.counted_kinds = spec[7]
        g.requires_token = spec[8]
        g.pay_needs_token = spec[9]
        g.pay_all = spec[10]
        g.pay_total = spec[11]
        g.pay_first = spec[12]
        g.marks_need_pay = spec[13]
        g.some_end = spec[14]
        g.by_order = spec[15]
        g.has_ferry = spec[16]
        g.rows = spec[17]
        g.doublings = spec[18]
        for i in range(g.rows):
            g.row_kinds[i] = spec[19 + 3 * i]
            g.row_visit[i] = spec[20 + 3 * i]
            g.row_pay[i] = spec[21 + 3 * i]
        for i in range(g.doublings):
            g.double_factor[i] = spec[19 + 3 * g.rows + 2 * i]
            g.double_mode[i] = spec[20 + 3 * g.rows + 2 * i]
        for i in range(3):
            g.ferry_penalty[i] = spec[19 + 3 * g.rows + 2 * g.doublings + i]

    cdef void read_sets(self, const int[::1] sets):
        cdef int at = 0, k
        while at < sets.shape[0]:
            self.set_first.push_back(<int>self.set_stops.size())
            self.set_stops.push_back(sets[at + 1])
            for k in range(sets[at]):
                self.set_stops.push_back(sets[at + 2 + k])
            at += 2 + sets[at]
        self.set_first.push_back(<int>self.set_stops.size())

    cdef void read_bonuses(self, const int[::1] data):
        """Counters as four half words each, then the bonuses with their levels."""
        cdef int at = 1, i, j, k, half
        cdef Counter counter
        cdef BonusRule rule
        for i in range(data[0]):
            for half in range(2):
                counter.mask[half] = <uint64_t>(<unsigned int>data[at])
                counter.mask[half] |= (<uint64_t>(<unsigned int>data[at + 1])) << 32
                at += 2
            self.counter.push_back(counter)
        while at < data.shape[0]:
            memset(&rule, 0, sizeof(BonusRule))
            rule.per = data[at]
            rule.per_max = data[at + 1]
            rule.company = data[at + 2]
            rule.levels = data[at + 3]
            at += 4
            for j in range(rule.levels):
                rule.level[j].amount = data[at]
                rule.level[j].needs = data[at + 1]
                at += 2
                for k in range(rule.level[j].needs):
                    rule.level[j].counter[k] = data[at]
                    rule.level[j].least[k] = data[at + 1]
                    at += 2
            self.bonus.push_back(rule)

    cdef void make_masks(self):
        """Give every stop its bits: itself, and the sets of which a route may visit one stop."""
        cdef Network net = self.net
        cdef int i, s, bit, words
        bit = net.resource_words * 64
        words = (bit + net.stops + <int>self.set_first.size() - 1 + 63) // 64
        if words > MAX_WORDS:
            raise OverflowError(f"the network needs {words * 64} bits a route; {MAX_WORDS * 64} are possible")
        self.tg.words = words
        self.tg.resource_words = net.resource_words
        self.stop_mask.assign(net.stops * words, 0)
        for i in range(net.stops):
            for s in range(net.resource_words):
                self.stop_mask[i * words + s] = net.stop_mask[i * net.resource_words + s]
            set_bit(&self.stop_mask[i * words], bit + i)
        bit += net.stops
        for s in range(<int>self.set_first.size() - 1):
            for i in range(self.set_first[s] + 1, self.set_first[s + 1]):
                set_bit(&self.stop_mask[self.set_stops[i] * words], bit + s)

    cdef int worth(self, int stop):
        return self.stop_extra[stop] + self.figure(stop)

    cdef int figure(self, int stop):
        """What a stop pays. (A conditional expression would take the address of a passing number.)"""
        if self.stop_flags[stop] & STOP_IGNORED:
            return 0
        return self.stop_value[stop]

    cdef int least_cost(self, int stop):
        """Places that a stop takes; of unlike stops that may be merged into each other, the fewest."""
        cdef Network net = self.net
        cdef int i, cost, least = -1
        for i in range(net.stops):
            if i == stop or (self.tg.by_order and net.merging[net.stop_hex[i]]
                             and net.stop_hex[i] == net.stop_hex[stop]):
                cost = net.stop_cost[i] if (self.tg.counted_kinds >> net.stop_kind[i]) & 1 else 0
                if self.tg.by_order and self.stop_flags[i] & STOP_IGNORED:
                    cost = 0
                least = cost if least < 0 else min(least, cost)
        return least

    cdef void make_nodes(self):
        """Number the counted stops, the most valuable first."""
        cdef Network net = self.net
        cdef int i, node, words = self.tg.words, w, at
        self.node_of.assign(net.stops, -1)
        self.node_stop.clear()
        for i in range(net.stops):
            if net.reached[i] and not self.stop_flags[i] & (STOP_CLOSED | STOP_FREE):
                at = <int>self.node_stop.size()
                self.node_stop.push_back(i)
                while at > 0 and self.worth(self.node_stop[at - 1]) < self.worth(i):
                    self.node_stop[at] = self.node_stop[at - 1]
                    at -= 1
                self.node_stop[at] = i
        for node in range(<int>self.node_stop.size()):
            self.node_of[self.node_stop[node]] = node
        self.tg.nodes = <int>self.node_stop.size()
        self.value.resize(self.tg.nodes)
        self.gain.resize(self.tg.nodes)
        self.kind.resize(self.tg.nodes)
        self.cost.resize(self.tg.nodes)
        self.flags.resize(self.tg.nodes)
        self.token.resize(self.tg.nodes)
        self.open_.resize(self.tg.nodes)
        self.node_mask.assign(self.tg.nodes * words, 0)
        self.marks.resize(self.tg.nodes * 2)
        for node in range(self.tg.nodes):
            i = self.node_stop[node]
            self.value[node] = self.figure(i)
            self.gain[node] = self.value[node] + self.stop_extra[i]
            self.kind[node] = net.stop_kind[i]
            self.cost[node] = self.least_cost(i)
            self.flags[node] = self.stop_flags[i]
            self.token[node] = net.token[i]
            self.open_[node] = not net.blocked[i]
            for w in range(words):
                self.node_mask[node * words + w] = self.stop_mask[i * words + w]
            self.marks[2 * node] = self.stop_marks[2 * i]
            self.marks[2 * node + 1] = self.stop_marks[2 * i + 1]

    cdef void chain_marks(self, int chain, uint64_t* marks, int* extra) noexcept nogil:
        """Credits for the sides by which a chain leaves its stops."""
        cdef int i
        for i in range(<int>self.entry_sides.size()):
            if self.entry_sides[i] == self.net.chains[chain].side_a or (
                    self.entry_sides[i] == self.net.chains[chain].side_b):
                marks[0] |= self.entry_marks[2 * i]
                marks[1] |= self.entry_marks[2 * i + 1]
                extra[0] += self.entry_extra[i]

    cdef bint make_edges(self, bint keep_all, int limit):
        """Make the edges; False if there are more than ``limit`` with contraction."""
        cdef Network net = self.net
        cdef Contractor contractor = Contractor(self, limit, keep_all)
        cdef int i, n = net.chains_count
        self.edges.clear()
        self.edge_chains.clear()
        self.edge_mask.clear()
        self.chains_at_first.assign(net.stops + 1, 0)
        self.chains_at.assign(2 * n, 0)
        for i in range(n):
            self.chains_at_first[net.chains[i].a + 1] += 1
            self.chains_at_first[net.chains[i].b + 1] += 1
        for i in range(net.stops):
            self.chains_at_first[i + 1] += self.chains_at_first[i]
        cdef vector[int] fill = self.chains_at_first
        for i in range(n):
            self.chains_at[fill[net.chains[i].a]] = 2 * i
            fill[net.chains[i].a] += 1
            self.chains_at[fill[net.chains[i].b]] = 2 * i + 1
            fill[net.chains[i].b] += 1
        for i in range(self.tg.nodes):
            if not contractor.expand(self.node_stop[i]):
                return False
        return True

    cdef void drop_dominated(self):
        """Leave out edges that another edge between the same stops makes useless."""
        cdef int i, j, n = <int>self.edges.size(), words = self.tg.words, kept = 0
        cdef vector[long long] order  # edges sorted by the pair of stops that they join
        cdef vector[char] dead
        dead.assign(n, 0)
        order.reserve(n)
        for i in range(n):
            order.push_back(((<long long>self.edges[i].a * (self.tg.nodes + 1) + self.edges[i].b + 1) << 32) | i)
        sort(order.begin(), order.end())
        cdef int first = 0, last, x, y
        while first < n:
            last = first
            while last < n and order[last] >> 32 == order[first] >> 32:
                last += 1
            for x in range(first, last):
                i = <int>(order[x] & 0x7FFFFFFF)
                if dead[i]:
                    continue
                for y in range(first, last):
                    j = <int>(order[y] & 0x7FFFFFFF)
                    if i != j and not dead[j] and beats(&self.edges[i], &self.edges[j], i < j) and subset(
                            &self.edge_mask[i * words], &self.edge_mask[j * words], words):
                        dead[j] = 1
            first = last
        for i in range(n):
            if dead[i]:
                continue
            if kept != i:
                self.edges[kept] = self.edges[i]
                for x in range(words):
                    self.edge_mask[kept * words + x] = self.edge_mask[i * words + x]
            kept += 1
        self.edges.resize(kept)
        self.edge_mask.resize(kept * words)

    cdef void make_arcs(self):
        """Lay the edges out by node and neighbour, in both directions."""
        cdef int n = self.tg.nodes, words = self.tg.words, i, node, at, w, previous, other
        cdef vector[vector[long long]] at_node
        cdef Arc arc
        cdef Edge* edge
        at_node.resize(n)
        for i in range(<int>self.edges.size()):
            other = self.edges[i].b if self.edges[i].b >= 0 else n
            at_node[self.edges[i].a].push_back((<long long>other << 32) | (2 * i))
            if self.edges[i].b >= 0:
                at_node[self.edges[i].b].push_back((<long long>self.edges[i].a << 32) | (2 * i + 1))
        self.arc_first.push_back(0)
        self.pair_first.push_back(0)
        for node in range(n):
            insertion_sort(at_node[node])
            previous = -2
            for at in range(<int>at_node[node].size()):
                i = <int>(at_node[node][at] & 0x7FFFFFFF)
                edge = &self.edges[i >> 1]
                arc = self.arc_of(edge, i >> 1, i & 1)
                if arc.to != previous:
                    self.pair_to.push_back(arc.to)
                    self.pair_arc.push_back(<int>self.arcs.size())
                    previous = arc.to
                self.arcs.push_back(arc)
                for w in range(words):
                    self.arc_mask.push_back(self.edge_mask[(i >> 1) * words + w])
                if arc.to >= 0 and not arc.ferry:
                    add_bits(&self.arc_mask[self.arc_mask.size() - words],
                             &self.node_mask[arc.to * words], words)
                elif arc.ferry:
                    # What both stops stand for is used once: they count as one.
                    for w in range(words):
                        self.arc_mask[self.arc_mask.size() - words + w] |= (
                            self.node_mask[arc.to * words + w] & ~self.node_mask[node * words + w])
            self.arc_first.push_back(<int>self.arcs.size())
            self.pair_first.push_back(<int>self.pair_to.size())
        self.pair_arc.push_back(<int>self.arcs.size())

    cdef Arc arc_of(self, Edge* edge, int index, bint backwards):
        """One direction of an edge."""
        cdef Arc arc
        cdef TG* g = &self.tg
        arc.to = edge.a if backwards else edge.b
        arc.edge = index
        arc.towns = edge.towns
        arc.ferry = edge.ferry
        arc.first = edge.end_b if backwards else edge.end_a
        arc.last = edge.end_a if backwards else edge.end_b
        arc.price = 0
        arc.cost = 0
        arc.exact = edge.value if g.pay_all else 0
        arc.gain = arc.exact + edge.extra
        if edge.ferry:
            if g.by_order:
                # The better of the two may be kept, without a penalty where the other is ignored.
                arc.gain += max(0, self.gain[arc.to] - self.gain[edge.b if backwards else edge.a])
            else:
                arc.exact -= g.ferry_penalty[self.kind[arc.to]]
                arc.gain -= g.ferry_penalty[self.kind[arc.to]]
        elif arc.to >= 0:
            arc.cost = self.cost[arc.to]
            arc.exact += self.value[arc.to]
            arc.gain += self.gain[arc.to]
        if arc.to < 0 or not self.open_[arc.to]:
            arc.last = True
        return arc

    cdef void point(self):
        """Point the plain struct at the vectors."""
        cdef TG* g = &self.tg
        g.node_stop = self.node_stop.data()
        g.value = self.value.data()
        g.gain = self.gain.data()
        g.kind = self.kind.data()
        g.cost = self.cost.data()
        g.flags = self.flags.data()
        g.token = self.token.data()
        g.open_ = self.open_.data()
        g.node_mask = self.node_mask.data()
        g.marks = self.marks.data()
        g.arc_first = self.arc_first.data()
        g.arcs = self.arcs.data()
        g.arc_mask = self.arc_mask.data()
        g.edges = self.edges.data()
        g.edge_chains = self.edge_chains.data()
        g.pairs = <int>self.pair_to.size()
        g.pair_first = self.pair_first.data()
        g.pair_to = self.pair_to.data()
        g.pair_arc = self.pair_arc.data()
        g.counters = <int>self.counter.size()
        g.counter = self.counter.data()
        g.bonuses = <int>self.bonus.size()
        g.bonus = self.bonus.data()

    def unfold(self, int root, int arm, arcs):
        """Return the chains of a route in order, each with whether it is run backwards.

        The first ``arm`` arcs lead away from the root; the route runs along them to the root and then
        along the other arcs.
        """
        cdef int at = self.node_stop[root], i, k, chain
        cdef Edge* edge
        first, second = [], []
        for i in range(len(arcs)):
            if i == arm:
                at = self.node_stop[root]
            edge = &self.edges[self.arcs[arcs[i]].edge]
            chains = [self.edge_chains[edge.first + k] for k in range(edge.count)]
            if self.node_stop[edge.a] != at:
                chains = [chain ^ 1 for chain in reversed(chains)]
            (first if i < arm else second).extend(chains)
            if self.arcs[arcs[i]].to >= 0:
                at = self.node_stop[self.arcs[arcs[i]].to]
        return [(chain >> 1, not chain & 1) for chain in reversed(first)] + [
            (chain >> 1, bool(chain & 1)) for chain in second]

    @property
    def sizes(self):
        """Nodes, edges, words of a mask."""
        return self.tg.nodes, <int>self.edges.size(), self.tg.words


cdef class Contractor:
    """Walks from a counted stop through free towns to the next counted stop."""

    cdef TrainGraph graph
    cdef int limit
    cdef long long steps
    cdef bint tails
    cdef int start
    cdef vector[int] trail
    cdef vector[uint64_t] used
    cdef Edge edge

    def __init__(self, TrainGraph graph, int limit, bint unlimited):
        self.graph = graph
        self.limit = 2_000_000_000 if unlimited else limit
        self.steps = 2_000_000_000 if unlimited else 20 * <long long>limit
        self.used.resize(graph.tg.words)

    cdef bint expand(self, int stop):
        cdef int w
        cdef TrainGraph g = self.graph
        self.start = stop
        memset(&self.edge, 0, sizeof(Edge))
        self.edge.a = g.node_of[stop]
        self.trail.clear()
        for w in range(g.tg.words):
            self.used[w] = 0
        return self.step(stop, False)

    cdef bint step(self, int stop, bint must_stop):
        """Follow every chain from ``stop``; False when there are too many edges."""
        cdef TrainGraph g = self.graph
        cdef Network net = g.net
        cdef int at, chain, other, words = g.tg.words
        cdef bint end_here, end_there
        cdef Chain* c
        cdef Edge saved
        cdef uint64_t before[MAX_WORDS]
        for at in range(g.chains_at_first[stop], g.chains_at_first[stop + 1]):
            chain = g.chains_at[at]
            c = &net.chains[chain >> 1]
            other = c.a if chain & 1 else c.b
            end_here = c.terminal_b if chain & 1 else c.terminal_a
            end_there = c.terminal_a if chain & 1 else c.terminal_b
            if g.stop_flags[other] & STOP_CLOSED or other == self.start:
                continue
            if end_here and stop != self.start:
                continue
            if not disjoint(&self.used[0], &net.chain_mask[(chain >> 1) * net.resource_words],
                            net.resource_words):
                continue
            self.steps -= 1
            if self.steps < 0:
                return False
            saved = self.edge
            memcpy(before, self.used.data(), words * sizeof(uint64_t))
            if end_here:
                self.edge.end_a = True
            self.trail.push_back(chain)
            add_bits(&self.used[0], &net.chain_mask[(chain >> 1) * net.resource_words], net.resource_words)
            g.chain_marks(chain >> 1, self.edge.marks, &self.edge.extra)
            if g.node_of[other] >= 0 and disjoint(&self.used[0], &g.stop_mask[other * words], words):
                self.edge.end_b = end_there
                self.edge.ferry = c.ferry
                if g.node_of[other] > self.edge.a:
                    self.keep(g.node_of[other])
            elif g.stop_flags[other] & STOP_FREE and disjoint(
                    &self.used[0], &g.stop_mask[other * words], words) and disjoint(
                    &g.stop_mask[self.start * words], &g.stop_mask[other * words], words):
                if not self.through(other, end_there):
                    return False
            self.trail.pop_back()
            self.edge = saved
            memcpy(self.used.data(), before, words * sizeof(uint64_t))
            if <int>g.edges.size() > self.limit:
                return False
        return True

    cdef bint through(self, int town, bint ends):
        """Add a free town; keep the tail that ends there; go on unless the track ends."""
        cdef TrainGraph g = self.graph
        cdef int words = g.tg.words
        add_bits(&self.used[0], &g.stop_mask[town * words], words)
        self.edge.towns += 1
        if not g.stop_flags[town] & STOP_IGNORED:
            self.edge.value += g.stop_value[town]
        self.edge.extra += g.stop_extra[town]
        self.edge.marks[0] |= g.stop_marks[2 * town]
        self.edge.marks[1] |= g.stop_marks[2 * town + 1]
        if not g.stop_flags[town] & STOP_NO_END:
            self.edge.end_b = True
            self.edge.ferry = False
            self.keep(-1)
            self.edge.end_b = False
        if ends:
            return True
        return self.step(town, ends)

    cdef void keep(self, int node):
        cdef TrainGraph g = self.graph
        cdef int i
        self.edge.b = node
        self.edge.first = <int>g.edge_chains.size()
        self.edge.count = <int>self.trail.size()
        for i in range(self.edge.count):
            g.edge_chains.push_back(self.trail[i])
        g.edges.push_back(self.edge)
        for i in range(g.tg.words):
            g.edge_mask.push_back(self.used[i])


cdef inline bint beats(Edge* a, Edge* b, bint earlier) noexcept nogil:
    """Whether edge a brings at least what edge b brings (the mask is compared elsewhere)."""
    if a.value < b.value or a.extra < b.extra or a.towns < b.towns:
        return False
    if (b.marks[0] & ~a.marks[0]) or (b.marks[1] & ~a.marks[1]) or a.ferry != b.ferry:
        return False
    return not (a.end_a and not b.end_a) and not (a.end_b and not b.end_b)


cdef void insertion_sort(vector[long long]& items):
    cdef int i, j
    cdef long long item
    for i in range(1, <int>items.size()):
        item = items[i]
        j = i - 1
        while j >= 0 and items[j] > item:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = item
