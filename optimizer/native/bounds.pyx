# cython: language_level=3
# distutils: language = c++
"""Upper bounds on what a partly built route can still bring; README.md says why they are valid."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.bits cimport disjoint, has_bit
from optimizer.native.train_graph cimport MODE_BEST, MODE_LIMITED, TG

cdef double NEVER = -1e18


cdef class Bounds:
    """Tables for one kind of train and one set of prices on the track."""

    cdef void prepare(self, TG* g, int places) noexcept nogil:
        """Read the arcs (gain minus price); build the table of walks where places are few."""
        cdef int v, a, i, j, held
        cdef double value
        self.g = g
        self.places = places
        self.tail = 0
        self.worth.assign(g.nodes, NEVER)
        self.placeless.assign(g.nodes, 0)
        self.some_placeless = False
        self.usable = places <= 32 and not g.by_order
        for v in range(g.nodes):
            held = -1
            for a in range(g.arc_first[v], g.arc_first[v + 1]):
                value = g.arcs[a].gain - g.arcs[a].price
                if g.arcs[a].to < 0:
                    self.tail = max(self.tail, value)
                    continue
                self.worth[g.arcs[a].to] = max(self.worth[g.arcs[a].to], value)
                if g.arcs[a].cost == 0 and not g.arcs[a].ferry:
                    self.usable = False
                if g.arcs[a].ferry:
                    if g.by_order:
                        self.placeless[g.arcs[a].to] = 1
                    if held >= 0 and held != g.arcs[a].to:
                        self.usable = False  # the table has room for one ferry after another stop
                    held = g.arcs[a].to
        self.rank.resize(g.nodes)
        for i in range(g.nodes):
            if g.cost[i] == 0:
                self.placeless[i] = 1
            self.some_placeless = self.some_placeless or self.placeless[i]
            self.worth[i] = max(self.worth[i], 0.0)
            j = i - 1
            while j >= 0 and self.worth[self.rank[j]] < self.worth[i]:
                self.rank[j + 1] = self.rank[j]
                j -= 1
            self.rank[j + 1] = i
        self.seen.assign(g.nodes, 0)
        self.end_seen.assign(g.nodes, 0)
        self.mark = 0
        self.mark_ends = 0
        self.disc.assign(g.nodes, 0)
        self.low.assign(g.nodes, 0)
        self.best_of.assign(g.nodes, 0)
        self.heap.resize(2 * g.nodes + 64)
        if self.usable and g.mode == MODE_LIMITED:
            self.fill()
        self.walkable = not g.by_order and places <= MAX_PAID and (
            g.mode == MODE_BEST or (g.mode == MODE_LIMITED and self.usable))
        self.walks_ready = False

    cdef void fill(self) noexcept nogil:
        """table[v][k]: best walk from v with k places, which may repeat stops but not turn back."""
        cdef TG* g = self.g
        cdef int v, k, p, a, w, cost, row = self.places + 1
        cdef double value, best
        cdef Ahead* cell
        cdef Ahead start
        self.table.resize(g.nodes * row)
        self.plain.resize(g.nodes * row)
        for k in range(row):
            start.best = g.fill * k
            start.other = g.fill * k
            start.to = -1
            for v in range(g.nodes):
                cell = &self.plain[v * row + k]
                cell[0] = start
                if not g.open_[v]:
                    continue
                for p in range(g.pair_first[v], g.pair_first[v + 1]):
                    best = NEVER
                    w = g.pair_to[p]
                    cost = 0
                    for a in range(g.pair_arc[p], g.pair_arc[p + 1]):
                        if not g.arcs[a].ferry:
                            best = max(best, g.arcs[a].gain - g.arcs[a].price)
                            cost = g.arcs[a].cost
                    if best == NEVER or cost > k:
                        continue
                    value = best + (self.ahead(w, v, k - cost) if w >= 0 else <double>(g.fill * k))
                    improve(cell, value, w)
            for v in range(g.nodes):
                self.table[v * row + k] = self.plain[v * row + k]
            if not g.has_ferry:
                continue
            for v in range(g.nodes):
                for a in range(g.arc_first[v], g.arc_first[v + 1]):
                    if g.arcs[a].ferry and g.open_[v]:
                        w = g.arcs[a].to
                        cell = &self.plain[w * row + k]
                        value = g.arcs[a].gain - g.arcs[a].price + (
                            cell.other if cell.to == v else cell.best)
                        improve(&self.table[v * row + k], value, w)

    cdef void fill_walks(self) noexcept nogil:
        """walks[S][v][k]: best walk from v with k places left, for counted or for paid stops.

        Of the most valuable stops (``dear``) each is entered at most once for its worth; ``S`` are those
        entered or visited already. Trains that pay for their best stops may pass others for the price of
        the track. Passing and ferries cost no place, so a row refers to itself; it settles since they
        bring nothing.
        """
        cdef TG* g = self.g
        cdef int v, k, p, a, w, s, cost, row = self.places + 1, sets, size = g.nodes * row
        cdef double value
        cdef double* here
        cdef double* after
        cdef bint changed
        self.dear = min(g.nodes, MAX_DEAR)
        sets = 1 << self.dear
        self.dear_bit.assign(g.nodes, 0)
        for s in range(self.dear):
            self.dear_bit[self.rank[s]] = 1 << s
        self.pair_pay.assign(g.pairs, NEVER)
        self.pair_pass.assign(g.pairs, NEVER)
        for p in range(g.pairs):
            for a in range(g.pair_arc[p], g.pair_arc[p + 1]):
                if g.arcs[a].to >= 0 and not g.arcs[a].ferry:
                    self.pair_pay[p] = max(self.pair_pay[p], g.arcs[a].gain - g.arcs[a].price)
                if g.mode == MODE_BEST:
                    self.pair_pass[p] = max(self.pair_pass[p], -g.arcs[a].price)
                elif g.arcs[a].ferry:
                    self.pair_pass[p] = max(self.pair_pass[p], min(0, g.arcs[a].gain) - g.arcs[a].price)
        self.walks.resize(sets * size)
        for k in range(row):
            for s in range(sets - 1, -1, -1):
                here = &self.walks[s * size]
                for v in range(g.nodes):
                    here[v * row + k] = g.fill * k
                changed = True
                while changed:
                    changed = False
                    for v in range(g.nodes):
                        if not g.open_[v]:
                            continue
                        for p in range(g.pair_first[v], g.pair_first[v + 1]):
                            w = g.pair_to[p]
                            if w < 0:
                                continue
                            value = self.pair_pass[p] + here[w * row + k]
                            cost = 1 if g.mode == MODE_BEST else g.cost[w]
                            if k >= cost and not s & self.dear_bit[w] and self.pair_pay[p] != NEVER:
                                after = &self.walks[(s | self.dear_bit[w]) * size]
                                value = max(value, self.pair_pay[p] + after[w * row + k - cost])
                            if value > here[v * row + k] + 1e-9:
                                here[v * row + k] = value
                                changed = True
        self.walks_ready = True

    cdef double* walks_after(self, const uint64_t* used) noexcept nogil:
        """The table for the dear stops that are no longer free."""
        cdef TG* g = self.g
        cdef int i, s = 0
        for i in range(self.dear):
            if not disjoint(used, &g.node_mask[self.rank[i] * g.words], g.words):
                s |= 1 << i
        return &self.walks[s * g.nodes * (self.places + 1)]

    cdef double limited_ahead(self, int node, int other, const uint64_t* used, int left) noexcept nogil:
        """Bound for trains with a limit: walks from the two open ends (-1: closed) share the places."""
        cdef TG* g = self.g
        cdef int i, row = self.places + 1
        cdef double best = NEVER, value
        cdef double* walks = self.walks_after(used)
        for i in range(left + 1):
            value = walks[node * row + i] if node >= 0 else <double>(g.fill * i)
            value += walks[other * row + left - i] if other >= 0 else <double>(g.fill * (left - i))
            best = max(best, value)
        return best + 2 * self.tail

    cdef double best_ahead(self, int node, int other, const uint64_t* used, const double* tops,
                           int places) noexcept nogil:
        """Bound for trains that pay for their best stops.

        ``tops``: the best visited stops, best first. Some of the places go to visited stops, the others
        to walks from the two open ends (-1: closed).
        """
        cdef TG* g = self.g
        cdef int j, i, row = places + 1
        cdef double best = NEVER, had = 0, here, value
        cdef double* walks = self.walks_after(used)
        for j in range(places + 1):
            if j > 0:
                had += tops[j - 1]
            here = NEVER
            for i in range(places - j + 1):
                value = walks[node * row + i] if node >= 0 else <double>(g.fill * i)
                value += walks[other * row + places - j - i] if other >= 0 else <double>(
                    g.fill * (places - j - i))
                here = max(here, value)
            best = max(best, had + here)
        return best

    cdef double ahead(self, int node, int came_from, int places) noexcept nogil:
        """Bound on what a walk from ``node`` brings that does not go straight back."""
        cdef Ahead* cell = &self.table[node * (self.places + 1) + places]
        return cell.other if cell.to == came_from else cell.best

    cdef double top(self, const uint64_t* used, int places, int arms) noexcept nogil:
        """Bound: the ``places`` most valuable stops not visited yet, plus filled places and tails.

        Stops that may take no place come on top. Of closed stops at most one for each of the ``arms``
        still growing.
        """
        cdef TG* g = self.g
        cdef int i, v
        cdef double total = 2 * self.tail
        for i in range(g.nodes):
            v = self.rank[i]
            if not self.placeless[v] and (places <= 0 or self.worth[v] <= g.fill):
                if not self.some_placeless:
                    break
                continue
            if not g.open_[v] and arms == 0:
                continue
            if self.may_come(v, used):
                arms -= not g.open_[v]
                total += self.worth[v]
                if not self.placeless[v]:
                    places -= g.cost[v]
        if places > 0:
            total += places * g.fill
        return total

    cdef bint may_come(self, int v, const uint64_t* used) noexcept nogil:
        """Whether a stop may still be visited; one that is merged may share sets with the stop before it."""
        cdef TG* g = self.g
        if g.by_order and self.placeless[v]:
            return not has_bit(used, g.resource_words * 64 + g.node_stop[v])
        return disjoint(used, &g.node_mask[v * g.words], g.words)

    cdef double chain_of_blocks(self, int node, int other, const uint64_t* used) noexcept nogil:
        """Bound for trains without a limit: the best chain of blocks from each open end.

        Both ends together collect no more than all the stops that either can reach, and one closed
        stop each.
        """
        cdef double total
        self.time = 0
        self.mark += 1
        self.first_mark = self.mark
        self.within = 0
        self.start_ends()
        total = self.block_walk(node, used)
        if other >= 0:
            self.mark += 1
            total += self.block_walk(other, used)
            total = min(total, self.within + self.first + self.second)
        return total + 2 * self.tail

    cdef double block_walk(self, int node, const uint64_t* used) noexcept nogil:
        """Depth-first search: the most that a path from ``node`` can collect.

        The stops still free fall into blocks joined at cut stops. A path that leaves ``node`` into a
        block collects at most all of that block, and leaves it at most once, through one cut stop.
        """
        cdef TG* g = self.g
        cdef int p, w, u
        cdef double best = 0, inside, onward
        self.time += 1
        self.disc[node] = self.time
        self.low[node] = self.time
        self.seen[node] = self.mark
        for p in range(g.pair_first[node], g.pair_first[node + 1]):
            w = g.pair_to[p]
            if w < 0:
                continue
            if self.seen[w] == self.mark:
                self.low[node] = min(self.low[node], self.disc[w])
                continue
            if not self.track_free(p, used):
                continue
            if not g.open_[w]:
                best = max(best, self.worth[w])
                self.note_end(w)
                continue
            if self.seen[w] < self.first_mark:
                self.within += self.worth[w]
            self.stack.push_back(w)
            self.block_walk(w, used)
            self.low[node] = min(self.low[node], self.low[w])
            if self.low[w] >= self.disc[node]:
                inside = 0
                onward = 0
                while True:
                    u = self.stack.back()
                    self.stack.pop_back()
                    inside += self.worth[u]
                    onward = max(onward, self.best_of[u])
                    if u == w:
                        break
                best = max(best, inside + onward)
        self.best_of[node] = best
        return best

    cdef bint track_free(self, int pair, const uint64_t* used) noexcept nogil:
        """Whether some edge of the pair has all its track free."""
        cdef TG* g = self.g
        cdef int a
        for a in range(g.pair_arc[pair], g.pair_arc[pair + 1]):
            if disjoint(used, &g.arc_mask[a * g.words], g.words):
                return True
        return False

    cdef void note_end(self, int node) noexcept nogil:
        """Keep the best closed stop, and the most that the worse of two compatible ones is worth."""
        cdef TG* g = self.g
        cdef int i
        cdef double worth = self.worth[node]
        if self.end_seen[node] == self.mark_ends:
            return
        self.end_seen[node] = self.mark_ends
        for i in range(<int>self.ends.size()):
            if disjoint(&g.node_mask[node * g.words], &g.node_mask[self.ends[i] * g.words], g.words):
                self.second = max(self.second, min(worth, self.worth[self.ends[i]]))
        self.first = max(self.first, worth)
        self.ends.push_back(node)

    cdef void start_ends(self) noexcept nogil:
        self.mark_ends += 1
        self.ends.clear()
        self.first = 0
        self.second = 0

    cdef void reach(self, int node, const uint64_t* used, int* count) noexcept nogil:
        """Collect into ``heap`` what every stop reachable from ``node`` is worth."""
        cdef TG* g = self.g
        cdef int p, w, head = <int>self.stack.size(), v
        self.stack.push_back(node)
        while head < <int>self.stack.size():
            v = self.stack[head]
            head += 1
            for p in range(g.pair_first[v], g.pair_first[v + 1]):
                w = g.pair_to[p]
                if w < 0 or self.seen[w] == self.mark:
                    continue
                if not self.track_free(p, used):
                    continue
                if not g.open_[w]:
                    self.note_end(w)
                    continue
                self.seen[w] = self.mark
                self.heap[count[0]] = self.worth[w]
                count[0] += 1
                self.stack.push_back(w)

    cdef double reach_best(self, int node, int other, const uint64_t* used, const double* have,
                           int count, int places, int arms) noexcept nogil:
        """Bound for trains that pay for their best stops: the best of those had and reachable.

        Each of the ``arms`` still growing may end at one closed stop.
        """
        cdef int n = 0, i, j
        cdef double total = 0, held
        self.mark += 1
        self.start_ends()
        self.stack.clear()
        self.seen[node] = self.mark
        self.reach(node, used, &n)
        if other >= 0 and self.seen[other] != self.mark:
            self.seen[other] = self.mark
            self.reach(other, used, &n)
        self.stack.clear()
        if self.first > 0:
            self.heap[n] = self.first
            n += 1
        if self.second > 0 and arms > 1:
            self.heap[n] = self.second
            n += 1
        for i in range(count):
            self.heap[n] = have[i]
            n += 1
        for i in range(places):
            if i >= n:
                total += (places - i) * self.g.fill
                break
            for j in range(i + 1, n):
                if self.heap[j] > self.heap[i]:
                    held = self.heap[i]
                    self.heap[i] = self.heap[j]
                    self.heap[j] = held
            total += max(self.heap[i], <double>self.g.fill)
        return total


cdef inline void improve(Ahead* cell, double value, int to) noexcept nogil:
    """Enter a first step into a cell that keeps the best two with different first stops."""
    if value > cell.best:
        if cell.to != to:
            cell.other = cell.best
        cell.best = value
        cell.to = to
    elif value > cell.other and to != cell.to:
        cell.other = value
