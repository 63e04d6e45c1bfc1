# cython: language_level=3
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

cdef enum:
    KEYS_PER_HEX = 128   # raw keys of one hex: 36 side lanes, 30 town rims, 60 stop-to-stop pieces
    TOWN_KEYS = 36
    PIECE_KEYS = 66
    CITY = 0
    TOWN = 1
    OFFBOARD = 2
    SIDE_END = 0
    STOP_END = 1
    JUNCTION_END = 2
    DUAL = 2


cdef struct PathPart:
    int hex
    int index          # of the path on its tile
    int kind[2]        # of each end: SIDE_END, STOP_END, JUNCTION_END
    int at[2]          # side, global stop or junction of the hex
    int key[2]         # raw key of a side end, else -1
    int width[2]
    int lane[2]
    int rim            # raw key of a town drawn on the far rim, or -1
    int track          # 0 broad, 1 narrow, DUAL
    bint terminal
    bint ferry


cdef struct Chain:
    int a              # stops at its ends, a < b
    int b
    int first          # its paths in chain_paths, from a to b
    int count
    int side_a         # hex * 8 + side by which it leaves stop a, or -1
    int side_b
    bint terminal_a    # stop a must end the route
    bint terminal_b
    bint ferry         # its ends are stops of one hex that count as one


cdef class Network:
    cdef public int hexes
    cdef public int stops
    cdef public int chains_count
    cdef public int resources      # bits that two routes of one run may not share
    cdef public int resource_words
    cdef vector[int] neighbor
    cdef vector[PathPart] paths
    cdef vector[int] first_at      # per hex side: first path end, then next_at
    cdef vector[int] next_at
    cdef vector[int] stop_first    # per stop: first path end
    cdef vector[int] stop_next
    cdef vector[int] stop_hex
    cdef vector[int] stop_kind
    cdef vector[int] stop_cost
    cdef vector[char] token
    cdef vector[char] blocked
    cdef vector[char] reached
    cdef vector[Chain] chains
    cdef vector[int] chain_paths
    cdef vector[int] key_first     # raw keys of chain i: chain_keys[key_first[i]:key_first[i + 1]]
    cdef vector[int] chain_keys
    cdef vector[uint64_t] chain_mask   # resource_words a chain
    cdef vector[uint64_t] stop_mask    # resource_words a stop (only for rules that forbid sharing)
    cdef vector[char] merging
    cdef vector[int] banned            # raw keys used up by fixed routes
    cdef void read_shapes(self, const int* data, int length)
    cdef void link_ends(self)
    cdef int trace_all(self, bint from_everywhere, int limit) except -1
    cdef void compress(self, const int* shared, int shared_length)
