# cython: language_level=3
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from optimizer.native.network cimport Network

cdef enum:
    MODE_LIMITED = 0      # at most K counted stops, all of them paid
    MODE_BEST = 1         # the best P of the counted stops are paid
    MODE_ALL = 2          # no limit, every stop pays

    MAX_WORDS = 40
    MAX_ROWS = 8
    MAX_NEEDS = 4
    MAX_LEVELS = 6
    MAX_CUSTOM = 8
    MAX_DOUBLINGS = 4

    STOP_CLOSED = 1
    STOP_NO_END = 2
    STOP_SOME_END = 4
    STOP_IGNORED = 8
    STOP_FREE = 16
    STOP_WORTHLESS = 32
    STOP_FOREIGN = 64     # a bank whose circles are all foreign


cdef struct Arc:
    int to                # node, or -1 for a tail that ends at a free town
    int edge
    int cost              # counted stops that it adds
    int exact             # what it adds if every stop is paid
    int gain              # the most it can add, bonuses included
    int towns
    bint last             # its far end must end the route
    bint first            # its near end must end the route
    bint ferry
    double price          # of the resources it uses


cdef struct Edge:
    int a
    int b
    int value             # of the free towns inside
    int extra             # the most that bonuses can add for it
    int towns
    int first             # chains: edge_chains[first:first + count], chain * 2 + backwards
    int count
    bint end_a
    bint end_b
    bint ferry
    uint64_t marks[2]


cdef struct Level:
    int needs
    int counter[MAX_NEEDS]
    int least[MAX_NEEDS]
    int amount


cdef struct BonusRule:
    int levels
    Level level[MAX_LEVELS]
    int per               # counter, or -1
    int per_max
    bint company


cdef struct Counter:
    uint64_t mask[2]


ctypedef long long (*custom_function)(const long long* head, const long long* rows, long long size,
                                      const long long* parameters) noexcept nogil


cdef struct Custom:
    custom_function function
    custom_function bound     # over partial routes, or NULL
    long long parameters[16]
    bint counters_only
    int claim                 # bit of a rule for one route of the run, or -1
    int counters
    int counter[8]            # numbers of its counters
    int per                   # the counter (its place among these) that ``most`` is for, or -1
    long long most            # -1: only the bound says
    long long unit
    long long worst           # the largest amount that broke ``most``, and what was allowed
    long long worst_most
    long long uneven          # an amount that broke ``unit``
    bint broken_most


cdef struct TG:
    int nodes
    int words
    int resource_words
    int mode
    int limit             # K, counted stops that may be visited
    int paid              # P, counted stops that may be paid
    int fill              # the most that an unused place can bring
    int slack             # the most that bonuses outside the stops can bring
    int granularity       # every revenue is a multiple of it
    bint simple_rows
    int rows
    int row_kinds[MAX_ROWS]
    int row_visit[MAX_ROWS]
    int row_pay[MAX_ROWS]
    int counted_kinds     # kinds that use up the limit
    bint requires_token
    bint pay_needs_token
    bint pay_all
    bint pay_total
    int pay_first
    bint marks_need_pay
    bint some_end
    int doublings
    int double_factor[MAX_DOUBLINGS]
    int double_mode[MAX_DOUBLINGS]   # 0: always, 1: both ends in the first set, 2: one end in each
    int ferry_penalty[3]  # by the kind of the stop that is kept
    bint has_ferry
    bint by_order         # what joined stops earn depends on the order in which they are visited
    int node_words
    int* node_stop
    int* value
    int* gain
    int* kind
    int* cost
    unsigned char* flags
    char* token
    char* open_           # trains may pass
    uint64_t* node_mask
    uint64_t* marks
    int* arc_first
    Arc* arcs
    uint64_t* arc_mask
    Edge* edges
    int* edge_chains
    int pairs
    int* pair_first       # distinct neighbours of each node
    int* pair_to
    int* pair_arc         # first arc of the pair; its arcs are contiguous
    int counters
    Counter* counter
    int bonuses
    BonusRule* bonus
    int customs
    Custom custom[MAX_CUSTOM]
    bint custom_reading       # some rule looks at the whole route
    bint custom_bounded       # some rule has a bound over partial routes
    bint both_ways            # rules may tell the two directions of joined stops apart
    long long custom_head[2]  # the train's name as a number, its multiplier
    int stops
    int* stop_hex
    long long* custom_stops
    long long* custom_marks
    long long* custom_sides
    int custom_side_rows


cdef class TrainGraph:
    cdef TG tg
    cdef readonly Network net
    cdef vector[int] stop_value, stop_extra, node_of, node_stop, value, gain, kind, cost
    cdef vector[unsigned char] stop_flags, flags
    cdef vector[int] stop_double      # a byte each: doublings of the stop, of its ends one and two
    cdef vector[char] token, open_
    cdef vector[uint64_t] stop_marks, stop_mask, node_mask, marks, edge_mask, arc_mask
    cdef vector[int] set_first, set_stops, arc_first, edge_chains, pair_first, pair_to, pair_arc
    cdef vector[Edge] edges
    cdef vector[Arc] arcs
    cdef vector[Counter] counter
    cdef vector[uint64_t] entry_marks
    cdef vector[int] entry_sides, entry_extra
    cdef vector[BonusRule] bonus
    cdef vector[long long] custom_stops, custom_marks, custom_sides
    cdef vector[int] chains_at_first, chains_at
    cdef public bint contracted
    cdef void read_spec(self, const int[::1] spec)
    cdef void copy_from(self, TrainGraph like)
    cdef void read_sets(self, const int[::1] sets)
    cdef void read_bonuses(self, const int[::1] data)
    cdef void make_masks(self)
    cdef int worth(self, int stop)
    cdef int figure(self, int stop)
    cdef int least_cost(self, int stop)
    cdef void make_nodes(self)
    cdef bint make_edges(self, bint keep_all, int limit)
    cdef void make_arcs(self)
    cdef void drop_dominated(self)
    cdef void chain_marks(self, int chain, uint64_t* marks, int* extra) noexcept nogil
    cdef Arc arc_of(self, Edge* edge, int index, bint backwards)
    cdef void point(self)
