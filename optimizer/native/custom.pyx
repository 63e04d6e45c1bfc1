# cython: language_level=3
# distutils: language = c++
"""Rules written in Python: the view of a route that they get, and the calls of their C functions.

The view's layout is that of :mod:`optimizer.custom.view`. A rule that returns more than it declared, or no
multiple of its unit, is noted: the caller reads it with :func:`broken` and must not trust the search then.
"""

from libc.stdint cimport uint64_t, uintptr_t
from libc.string cimport memset
from libcpp.vector cimport vector

from optimizer.native.bits cimport popcount
from optimizer.native.network cimport Chain
from optimizer.native.train_graph cimport (
    MAX_CUSTOM, STOP_FOREIGN, STOP_IGNORED, STOP_WORTHLESS, TG, Arc, Custom, Edge, TrainGraph, custom_function,
)

cdef long long FORBIDDEN = -(1LL << 61)   # rules return a number below this


def attach(TrainGraph graph, const long long[::1] rules, const long long[::1] stops,
           const long long[::1] marks, const long long[::1] sides, long long train, long long multiplier):
    """Give a train graph its rules.

    ``rules``: 34 numbers each (see :mod:`optimizer.graph.custom`); ``stops``: hex number and part of each
    stop; ``marks``: a word for each rule and stop; ``sides``: ``hex * 8 + side, rule, bits``.
    """
    cdef TG* g = &graph.tg
    cdef Custom* rule
    cdef int i, k, at, n = <int>rules.shape[0] // 34
    if n > MAX_CUSTOM:
        raise OverflowError(f"more than {MAX_CUSTOM} rules in Python")
    for i in range(n):
        at = 34 * i
        rule = &g.custom[i]
        memset(rule, 0, sizeof(Custom))
        rule.function = <custom_function><uintptr_t>rules[at]
        rule.bound = <custom_function><uintptr_t>rules[at + 1]
        rule.counters_only = rules[at + 2] != 0
        rule.claim = <int>rules[at + 3]
        rule.most = rules[at + 4]
        rule.unit = rules[at + 5]
        rule.per = <int>rules[at + 6]
        rule.counters = <int>rules[at + 7]
        for k in range(8):
            rule.counter[k] = <int>rules[at + 8 + k]
        for k in range(16):
            rule.parameters[k] = rules[at + 16 + k]
        g.custom_reading = g.custom_reading or not rule.counters_only
        g.custom_bounded = g.custom_bounded or rule.bound != NULL
    g.customs = n
    g.both_ways = g.has_ferry and g.custom_reading
    for i in range(<int>stops.shape[0]):
        graph.custom_stops.push_back(stops[i])
    for i in range(<int>marks.shape[0]):
        graph.custom_marks.push_back(marks[i])
    for i in range(<int>sides.shape[0]):
        graph.custom_sides.push_back(sides[i])
    g.custom_stops = graph.custom_stops.data()
    g.custom_marks = graph.custom_marks.data()
    g.custom_sides = graph.custom_sides.data()
    g.custom_side_rows = <int>sides.shape[0] // 3
    g.custom_head[0] = train
    g.custom_head[1] = multiplier
    g.stops = graph.net.stops
    g.stop_hex = graph.net.stop_hex.data()


def broken(TrainGraph graph):
    """Return ``(rule, amount, declared, kind)`` for declarations broken so far; kind: most or unit."""
    cdef int i
    cdef Custom* rule
    found = []
    for i in range(graph.tg.customs):
        rule = &graph.tg.custom[i]
        if rule.broken_most:
            found.append((i, rule.worst, rule.worst_most, "most"))
        if rule.uneven:
            found.append((i, rule.uneven, rule.unit, "unit"))
    return found


cdef void list_chains(TrainGraph graph, int root, int arm, const int* arcs, int count, int* out, int* n) noexcept nogil:
    """The chains of a route in order: number * 2 + backwards."""
    cdef int at = graph.node_stop[root], i, k, first, chain
    cdef Edge* edge
    cdef Arc* arc
    n[0] = 0
    first = 0
    for i in range(count):
        if i == arm:
            at = graph.node_stop[root]
        arc = &graph.arcs[arcs[i]]
        edge = &graph.edges[arc.edge]
        for k in range(edge.count):
            if graph.node_stop[edge.a] == at:
                chain = graph.edge_chains[edge.first + k]
            else:
                chain = graph.edge_chains[edge.first + edge.count - 1 - k] ^ 1
            if n[0] < MAX_ROWS_SEEN - 1:
                out[n[0]] = chain
                n[0] += 1
        if i < arm:
            first = n[0]
        if arc.to >= 0:
            at = graph.node_stop[arc.to]
    # The first arm leads away from the root: the route runs it the other way.
    turn(out, first)


cdef void add_stop(TrainGraph graph, View* view, int stop) noexcept nogil:
    cdef long long* row = &view.rows[view.size * FIELDS]
    view.stop[view.size] = stop
    view.size += 1
    row[ROW_HEX] = graph.custom_stops[2 * stop]
    row[ROW_PART] = graph.custom_stops[2 * stop + 1]
    row[ROW_KIND] = graph.net.stop_kind[stop]
    row[ROW_AMOUNT] = graph.stop_value[stop]
    row[ROW_TOKEN] = graph.net.token[stop]
    row[ROW_COUNTED] = 1
    row[ROW_PAID] = 0
    row[ROW_ARRIVED] = -1
    row[ROW_DEPARTED] = -1
    row[ROW_MARKS] = 0
    row[ROW_ENTRIES] = 0
    row[ROW_ROUTE] = 0
    if graph.stop_flags[stop] & STOP_IGNORED:
        row[ROW_COUNTED] = 0
        row[ROW_AMOUNT] = 0


cdef void see_route(TrainGraph graph, View* view, int root, int arm, const int* arcs, int count,
                    bint backward) noexcept nogil:
    """Write down the visited stops in route order; amounts without doublings, nothing paid yet."""
    cdef int chains[MAX_ROWS_SEEN]
    cdef bint taken[MAX_ROWS_SEEN]
    cdef int n, i, stop, before = -1
    cdef Chain* chain
    cdef bint back
    cdef long long* row
    view.size = 0
    list_chains(graph, root, arm, arcs, count, chains, &n)
    if n == 0:
        add_stop(graph, view, graph.node_stop[root])
        return
    if backward:
        turn(chains, n)
    for i in range(n + 1):
        if i == 0:
            chain = &graph.net.chains[chains[0] >> 1]
            add_stop(graph, view, chain.b if chains[0] & 1 else chain.a)
        else:
            chain = &graph.net.chains[chains[i - 1] >> 1]
            back = chains[i - 1] & 1
            view.rows[(i - 1) * FIELDS + ROW_DEPARTED] = side_of(chain.side_b if back else chain.side_a)
            add_stop(graph, view, chain.a if back else chain.b)
        row = &view.rows[i * FIELDS]
        stop = view.stop[i]
        taken[i] = False
        if i > 0:
            row[ROW_ARRIVED] = side_of(chain.side_a if back else chain.side_b)
        if not row[ROW_COUNTED]:
            continue
        if i > 0 and chain.ferry:
            # Merged into the stop of the same hex before it, whose figure is lower once.
            if before >= 0 and graph.net.stop_hex[view.stop[before]] == graph.net.stop_hex[stop]:
                if not taken[before]:
                    take_penalty(graph, view, before)
                taken[before] = True
            row[ROW_COUNTED] = 0
            row[ROW_AMOUNT] = 0
            continue
        before = i
        if graph.stop_flags[stop] & STOP_FOREIGN and 0 < i < n:
            take_penalty(graph, view, i)
            taken[i] = True


cdef void take_penalty(TrainGraph graph, View* view, int at) noexcept nogil:
    if not graph.stop_flags[view.stop[at]] & STOP_WORTHLESS:
        view.rows[at * FIELDS + ROW_AMOUNT] -= graph.tg.ferry_penalty[view.rows[at * FIELDS + ROW_KIND]]


cdef void turn(int* chains, int n) noexcept nogil:
    """Turn a list of chains round."""
    cdef int i, held
    for i in range(n // 2):
        held = chains[i]
        chains[i] = chains[n - 1 - i]
        chains[n - 1 - i] = held
    for i in range(n):
        chains[i] ^= 1


cdef inline int side_of(int code) noexcept nogil:
    return code & 7 if code >= 0 else -1


cdef inline int count_of(TG* g, const uint64_t* marks, int counter) noexcept nogil:
    if counter < 0:
        return 0
    return popcount(marks[0] & g.counter[counter].mask[0]) + popcount(
        marks[1] & g.counter[counter].mask[1])


cdef void fill_head(TG* g, Custom* rule, const uint64_t* marks, long long revenue, long long* head) noexcept nogil:
    cdef int k
    memset(head, 0, HEAD * sizeof(head[0]))
    head[0] = g.custom_head[0]
    head[1] = g.custom_head[1]
    head[2] = revenue
    for k in range(rule.counters):
        head[COUNTS + k] = count_of(g, marks, rule.counter[k])


cdef void fill_marks(TG* g, int number, View* view) noexcept nogil:
    """Write this rule's marks and entries into the rows."""
    cdef int i, s
    cdef long long* row
    cdef long long side
    for i in range(view.size):
        row = &view.rows[i * FIELDS]
        row[ROW_MARKS] = g.custom_marks[number * g.stops + view.stop[i]]
        row[ROW_ENTRIES] = 0
        for s in range(g.custom_side_rows):
            if g.custom_sides[3 * s + 1] != number:
                continue
            side = g.custom_sides[3 * s]
            if side >> 3 == g.stop_hex[view.stop[i]] and (
                    (side & 7) == row[ROW_ARRIVED] or (side & 7) == row[ROW_DEPARTED]):
                row[ROW_ENTRIES] |= g.custom_sides[3 * s + 2]


cdef int checked(Custom* rule, long long amount, const long long* head) noexcept nogil:
    """Hold an amount against what the rule declares; NOT_ALLOWED if the rule forbids the route."""
    cdef long long most = rule.most
    if amount < FORBIDDEN:
        return NOT_ALLOWED
    if rule.per >= 0:
        most *= head[COUNTS + rule.per]
    if rule.most >= 0 and amount > most:
        rule.broken_most = True
        if amount > rule.worst:
            rule.worst = amount
            rule.worst_most = most
        amount = most
    if rule.unit > 1 and amount % rule.unit:
        rule.uneven = amount
    if amount < -100000000:
        amount = -100000000
    return <int>amount


cdef int counters_value(TG* g, const uint64_t* marks, int claims) noexcept nogil:
    """What the rules add that look at counters only; NOT_ALLOWED or less if one forbids the route."""
    cdef int i, total = 0, amount
    cdef long long head[HEAD]
    cdef Custom* rule
    for i in range(g.customs):
        rule = &g.custom[i]
        if not rule.counters_only or (rule.claim >= 0 and not (claims >> rule.claim) & 1):
            continue
        fill_head(g, rule, marks, 0, head)
        amount = checked(rule, rule.function(head, NULL, 0, rule.parameters), head)
        if amount == NOT_ALLOWED:
            return NOT_ALLOWED
        total += amount
    return total


cdef int route_value(TG* g, View* view, int revenue, const uint64_t* marks, int claims) noexcept nogil:
    """What the rules add that look at the whole route; the rows say which stops are paid."""
    cdef int i, total = 0, amount
    cdef long long head[HEAD]
    cdef Custom* rule
    for i in range(g.customs):
        rule = &g.custom[i]
        if rule.counters_only or (rule.claim >= 0 and not (claims >> rule.claim) & 1):
            continue
        fill_head(g, rule, marks, revenue, head)
        if rule.counters:
            fill_marks(g, i, view)
        amount = checked(rule, rule.function(head, view.rows, view.size, rule.parameters), head)
        if amount == NOT_ALLOWED:
            return NOT_ALLOWED
        total += amount
    return total


cdef int custom_claims(TG* g, const uint64_t* marks) noexcept nogil:
    """Bits of the rules for one route of the run that may hold for a route."""
    cdef int i, found = 0
    cdef long long head[HEAD]
    cdef Custom* rule
    for i in range(g.customs):
        rule = &g.custom[i]
        if rule.claim < 0:
            continue
        if rule.counters_only:
            fill_head(g, rule, marks, 0, head)
            if checked(rule, rule.function(head, NULL, 0, rule.parameters), head) <= 0:
                continue
        found |= 1 << rule.claim
    return found


cdef int rest_bound(TG* g, View* view) noexcept nogil:
    """The most that rules with a bound over partial routes can add to a route that has this part."""
    cdef int i, total = 0
    cdef long long head[HEAD]
    cdef uint64_t marks[2]
    cdef long long amount
    cdef Custom* rule
    memset(marks, 0, sizeof(marks))
    for i in range(view.size):
        view.rows[i * FIELDS + ROW_PAID] = view.rows[i * FIELDS + ROW_COUNTED]
    for i in range(g.customs):
        rule = &g.custom[i]
        if rule.bound == NULL:
            continue
        fill_head(g, rule, marks, 0, head)
        if rule.counters:
            fill_marks(g, i, view)
        amount = rule.bound(head, view.rows, view.size, rule.parameters)
        total += <int>max(0, min(amount, 1000000))
    return total


cdef int custom_slack(TG* g, View* view) noexcept nogil:
    """The most that all rules can add to a whole route, whatever stops are paid."""
    cdef int i, total = 0
    cdef Custom* rule
    for i in range(g.customs):
        rule = &g.custom[i]
        if rule.most < 0:
            continue
        if rule.per >= 0:
            total += <int>rule.most * 128
        elif rule.bound == NULL:
            total += <int>rule.most
    return total + (rest_bound(g, view) if g.custom_bounded else 0)


cdef class RunRules:
    """Rules about all routes of a run.

    A route's view: kind of train, train, multiplier, revenue, number of rows, then the rows, each with
    the number of its stop in ROW_ROUTE.
    """

    def __init__(self, const long long[::1] rules, const long long[::1] marks, const long long[::1] sides, int stops):
        cdef RunRule rule
        cdef int i, k, at
        for i in range(<int>rules.shape[0] // 20):
            at = 20 * i
            memset(&rule, 0, sizeof(RunRule))
            rule.function = <run_function><uintptr_t>rules[at]
            rule.kinds = rules[at + 1]
            rule.most = rules[at + 2]
            rule.unit = rules[at + 3]
            for k in range(16):
                rule.parameters[k] = rules[at + 4 + k]
            self.rules.push_back(rule)
        for i in range(<int>marks.shape[0]):
            self.marks.push_back(marks[i])
        for i in range(<int>sides.shape[0]):
            self.sides.push_back(sides[i])
        self.stops = stops

    def broken(self):
        """Return ``(rule, amount, declared, kind)`` for declarations broken so far."""
        cdef int i
        found = []
        for i in range(<int>self.rules.size()):
            if self.rules[i].worst:
                found.append((i, self.rules[i].worst, self.rules[i].most, "most"))
            if self.rules[i].uneven:
                found.append((i, self.rules[i].uneven, self.rules[i].unit, "unit"))
        return found

    cdef long long most(self) noexcept nogil:
        """The most that all of them can add."""
        cdef int i
        cdef long long total = 0
        for i in range(<int>self.rules.size()):
            total += self.rules[i].most
        return total

    cdef void fill(self, int rule, const vector[long long]* views, const vector[long long]* at,
                   const int* columns, int count) noexcept nogil:
        """Join the views of the routes that a rule looks at."""
        cdef int c, i, s, index = 0, first = 0
        cdef const long long* view
        cdef long long side
        cdef long long* row
        self.routes.clear()
        self.rows.clear()
        for c in range(count):
            view = &views[0][at[0][columns[c]]]
            if not (self.rules[rule].kinds >> view[0]) & 1:
                continue
            for i in range(1, 4):
                self.routes.push_back(view[i])
            self.routes.push_back(first)
            self.routes.push_back(view[4])
            for i in range(<int>view[4] * FIELDS):
                self.rows.push_back(view[5 + i])
            for i in range(<int>view[4]):
                row = &self.rows[(first + i) * FIELDS]
                row[ROW_MARKS] = self.marks[rule * self.stops + row[ROW_ROUTE]]
                row[ROW_ENTRIES] = 0
                for s in range(<int>self.sides.size() // 4):
                    # a side belongs to one stop's hex: stop, side, rule, bits
                    side = self.sides[4 * s + 1]
                    if self.sides[4 * s] == row[ROW_HEX] and self.sides[4 * s + 2] == rule and (
                            side == row[ROW_ARRIVED] or side == row[ROW_DEPARTED]):
                        row[ROW_ENTRIES] |= self.sides[4 * s + 3]
                row[ROW_ROUTE] = index
            first += <int>view[4]
            index += 1

    cdef long long value(self, const vector[long long]* views, const vector[long long]* at,
                         const int* columns, int count) noexcept nogil:
        """What the rules add to a run of these routes; NOT_ALLOWED if one forbids it."""
        cdef int i
        cdef long long total = 0, amount
        cdef RunRule* rule
        for i in range(<int>self.rules.size()):
            rule = &self.rules[i]
            self.fill(i, views, at, columns, count)
            if self.routes.empty():
                continue
            amount = rule.function(self.routes.data(), <long long>self.routes.size() // 5, self.rows.data(),
                                   <long long>self.rows.size() // FIELDS, rule.parameters)
            if amount < FORBIDDEN:
                return NOT_ALLOWED
            if amount > rule.most:
                rule.worst = max(rule.worst, amount)
                amount = rule.most
            if rule.unit > 1 and amount % rule.unit:
                rule.uneven = amount
            total += max(amount, <long long>-100000000)
        return total
