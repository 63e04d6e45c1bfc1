# cython: language_level=3
# distutils: language = c++
"""What a finished route earns: which stops are paid, and the bonuses."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from optimizer.native.bits cimport popcount
from optimizer.native.custom cimport (
    FIELDS, NOT_ALLOWED, ROW_COUNTED, ROW_PAID, View, counters_value, custom_claims, custom_slack, route_value,
)
from optimizer.native.train_graph cimport TG, BonusRule, Level


cdef struct Choice:
    TG* g
    Visit* visits
    int n
    View* view           # what Python rules see
    int seats            # stops to pay
    int claims
    int slack            # the most that bonuses can add
    int best
    bint need_token
    bint by_rows
    bint bonus_by_pay
    uint64_t marks[2]    # credits that do not depend on the paid stops
    int suffix[MAX_VISITS + 1]   # suffix[i]: tokens among visits i..n-1
    int kinds[3]


cdef int count_marks(TG* g, const uint64_t* marks, int counter) noexcept nogil:
    return popcount(marks[0] & g.counter[counter].mask[0]) + popcount(
        marks[1] & g.counter[counter].mask[1])


cdef int rule_value(TG* g, BonusRule* rule, const uint64_t* marks) noexcept nogil:
    """The best level of one bonus that these marks meet, times its counter."""
    cdef int i, k, best = 0, times = 1
    cdef Level* level
    cdef bint met
    for i in range(rule.levels):
        level = &rule.level[i]
        if level.amount <= best:
            continue
        met = True
        for k in range(level.needs):
            if count_marks(g, marks, level.counter[k]) < level.least[k]:
                met = False
                break
        if met:
            best = level.amount
    if best and rule.per >= 0:
        times = min(count_marks(g, marks, rule.per), rule.per_max)
    return best * times


cdef int bonus_value(TG* g, const uint64_t* marks, int claims) noexcept nogil:
    """All bonuses of a route; of those for one route of the run only the claimed ones (bits)."""
    cdef int i, total = 0, bit = 0
    for i in range(g.bonuses):
        if g.bonus[i].company:
            bit += 1
            if not (claims >> (bit - 1)) & 1:
                continue
        total += rule_value(g, &g.bonus[i], marks)
    return total


cdef int company_claims(TG* g, const uint64_t* marks) noexcept nogil:
    """Bits of the bonuses for one route of the run that these marks would earn."""
    cdef int i, found = 0, bit = 0
    for i in range(g.bonuses):
        if g.bonus[i].company:
            if rule_value(g, &g.bonus[i], marks) > 0:
                found |= 1 << bit
            bit += 1
    if g.customs:
        found |= custom_claims(g, marks)
    return found


cdef bint rows_fit(TG* g, const int* counts) noexcept nogil:
    """Whether visits of each kind fit into the rows; rows are sorted by number of kinds."""
    cdef int i, kind, order, take
    cdef int left[8]
    cdef int accepting[3]
    for i in range(g.rows):
        left[i] = g.row_visit[i]
    memset(accepting, 0, sizeof(accepting))
    for kind in range(3):
        for i in range(g.rows):
            accepting[kind] += (g.row_kinds[i] >> kind) & 1
    for order in range(g.rows + 1):
        for kind in range(3):
            if accepting[kind] != order or counts[kind] == 0:
                continue
            take = counts[kind]
            for i in range(g.rows):
                if (g.row_kinds[i] >> kind) & 1:
                    if take <= left[i]:
                        left[i] -= take
                        take = 0
                        break
                    take -= left[i]
                    left[i] = 0
            if take > 0:
                return False
    return True


cdef int seated(TG* g, const int* counts) noexcept nogil:
    """How many of these stops the rows can pay."""
    cdef int i, kind, total = 0, take
    cdef int left[3]
    for kind in range(3):
        left[kind] = counts[kind]
    for i in range(g.rows):
        take = 0
        for kind in range(3):
            if (g.row_kinds[i] >> kind) & 1:
                take += left[kind]
        take = min(take, g.row_pay[i])
        total += take
        for kind in range(3):
            if (g.row_kinds[i] >> kind) & 1:
                if left[kind] >= take:
                    left[kind] -= take
                    take = 0
                else:
                    take -= left[kind]
                    left[kind] = 0
    return total


cdef void choose(Choice* c, int at, int taken, int total, const uint64_t* marks, int tokens,
                 int* counts) noexcept nogil:
    """Pay visit ``at`` or not; visits are sorted by what they pay, those that must be paid first."""
    cdef int i, top, left = c.seats - taken, value
    cdef uint64_t joined[2]
    cdef Visit* visit
    if left == 0:
        if c.need_token and tokens == 0:
            return
        value = total + bonus_value(c.g, marks, c.claims)
        if c.g.customs:
            value += custom_value(c.g, c.view, value, marks, c.claims)
        c.best = max(c.best, value)
        return
    if c.n - at < left or (c.need_token and tokens == 0 and c.suffix[at] == 0):
        return
    top = total + c.slack
    for i in range(at, at + left):
        top += c.visits[i].value
    if top <= c.best:
        return
    visit = &c.visits[at]
    counts[visit.kind] += 1
    if not c.by_rows or seated(c.g, counts) == taken + 1:
        joined[0] = marks[0]
        joined[1] = marks[1]
        if c.bonus_by_pay:
            joined[0] |= visit.marks[0]
            joined[1] |= visit.marks[1]
        if c.g.custom_reading:
            set_paid(c.view, visit.stop, True)
        choose(c, at + 1, taken + 1, total + visit.value, joined, tokens + visit.token, counts)
        if c.g.custom_reading:
            set_paid(c.view, visit.stop, False)
    counts[visit.kind] -= 1
    if not c.by_rows and (c.g.pay_first >> visit.kind) & 1:
        return
    choose(c, at + 1, taken, total, marks, tokens, counts)


cdef void set_paid(View* view, int stop, bint paid) noexcept nogil:
    """Mark a stop in the view; a merged one stands for the stop before it."""
    cdef int i
    for i in range(view.size):
        if view.stop[i] == stop:
            while i > 0 and not view.rows[i * FIELDS + ROW_COUNTED]:
                i -= 1
            view.rows[i * FIELDS + ROW_PAID] = paid
            return


cdef int custom_value(TG* g, View* view, int revenue, const uint64_t* marks, int claims) noexcept nogil:
    """What Python rules add; far below zero where one forbids the route."""
    cdef int total = counters_value(g, marks, claims), more
    if total == NOT_ALLOWED or not g.custom_reading:
        return total
    more = route_value(g, view, revenue, marks, claims)
    return NOT_ALLOWED if more == NOT_ALLOWED else total + more


cdef bint goes_before(TG* g, Visit* a, Visit* b) noexcept nogil:
    cdef int first_a, first_b
    if g.pay_total:
        first_a = (g.pay_first >> a.kind) & 1
        first_b = (g.pay_first >> b.kind) & 1
        if first_a != first_b:
            return first_a > first_b
    return a.value > b.value


cdef int best_pay(TG* g, Visit* visits, int n, const uint64_t* marks, int claims,
                  View* view) noexcept nogil:
    """Revenue of a route by its counted stops; -1 if no choice of paid stops is allowed.

    ``marks``: credits of the sides used (and of all stops where bonuses do not need payment).
    """
    cdef Choice c
    cdef Visit held
    cdef int i, j
    cdef int counts[3]
    memset(counts, 0, sizeof(counts))
    for i in range(1, n):
        held = visits[i]
        j = i - 1
        while j >= 0 and goes_before(g, &held, &visits[j]):
            visits[j + 1] = visits[j]
            j -= 1
        visits[j + 1] = held
    c.g = g
    c.visits = visits
    c.n = n
    c.claims = claims
    c.view = view
    c.best = -1
    c.need_token = g.pay_needs_token
    c.by_rows = not g.pay_total
    c.bonus_by_pay = g.marks_need_pay
    c.slack = 0
    for i in range(g.bonuses):
        for j in range(g.bonus[i].levels):
            c.slack += g.bonus[i].level[j].amount * (
                min(g.bonus[i].per_max, 128) if g.bonus[i].per >= 0 else 1)
    if g.customs:
        c.slack += custom_slack(g, view)
        for i in range(view.size if g.custom_reading else 0):
            view.rows[i * FIELDS + ROW_PAID] = 0
    c.suffix[n] = 0
    for i in range(n - 1, -1, -1):
        c.suffix[i] = c.suffix[i + 1] + visits[i].token
        counts[visits[i].kind] += 1
    c.seats = min(g.paid, n) if g.pay_total else seated(g, counts)
    memset(counts, 0, sizeof(counts))
    while c.seats > 0:
        choose(&c, 0, 0, 0, marks, 0, counts)
        if c.best > 0 or g.pay_total or (c.best == 0 and not g.customs):
            break
        c.seats -= 1
    return c.best
