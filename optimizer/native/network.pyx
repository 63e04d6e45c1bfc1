# cython: language_level=3
# distutils: language = c++
"""The track network of a position: chains of track between stops and what they use up.

Input is flat integers only. A chain runs from one stop to another with no stop in between; it
uses up *raw keys* (a lane of a hex side, a piece without sides, the rim of a town). Keys that always
occur together are one *resource*, a bit that two routes of one run may not share.
"""

from libc.stdint cimport uint64_t
from libcpp.algorithm cimport lower_bound, sort, unique
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from optimizer.native.bits cimport set_bit


cdef struct Walk:
    int start
    int depth
    int limit
    bint full


cdef class Network:
    """Chains and stops of one position.

    ``neighbor``: 6 hex numbers a hex, -1 for none. ``shapes``: for each hex with track its number,
    counts of stops and paths, ``kind, visit cost`` a stop and 12 numbers a path (see
    :mod:`optimizer.graph.shapes`). ``flags``: a byte a stop, 1 own token, 2 blocked (trains may
    end there, not pass). ``banned``: raw keys already used. ``shared``: lists ``count, stops...``
    of stops that only one route of the run may visit. ``merging``: hexes whose stops, visited one right
    after the other, count as one. Raises OverflowError with more than ``limit``
    chains.
    """

    def __init__(self, const int[::1] neighbor, const int[::1] shapes, const unsigned char[::1] flags,
                 const int[::1] banned, const int[::1] shared, const int[::1] merging, bint from_everywhere,
                 int limit):
        cdef int i
        self.hexes = <int>neighbor.shape[0] // 6
        self.neighbor.resize(neighbor.shape[0])
        for i in range(neighbor.shape[0]):
            self.neighbor[i] = neighbor[i]
        for i in range(banned.shape[0]):
            if not 0 <= banned[i] < self.hexes * KEYS_PER_HEX:
                raise ValueError(f"there is no key {banned[i]}")
            self.banned.push_back(banned[i])
        self.merging.resize(self.hexes)
        for i in range(merging.shape[0]):
            self.merging[merging[i]] = 1
        if shapes.shape[0] > 0:
            self.read_shapes(&shapes[0], <int>shapes.shape[0])
        if flags.shape[0] != self.stops:
            raise ValueError("one flag a stop is needed")
        self.token.resize(self.stops)
        self.blocked.resize(self.stops)
        self.reached.resize(self.stops)
        for i in range(self.stops):
            self.token[i] = flags[i] & 1
            self.blocked[i] = (flags[i] & 2 and not flags[i] & 1) or self.stop_kind[i] == OFFBOARD
        self.link_ends()
        self.trace_all(from_everywhere, limit)
        self.chains_count = <int>self.chains.size()
        self.compress(&shared[0] if shared.shape[0] > 0 else NULL, <int>shared.shape[0])

    cdef void read_shapes(self, const int* data, int length):
        cdef int at = 0, hex_, n_stops, n_paths, i, e, base
        cdef PathPart part
        while at < length:
            hex_ = data[at]
            n_stops = data[at + 1]
            n_paths = data[at + 2]
            at += 3
            base = self.stops
            for i in range(n_stops):
                self.stop_hex.push_back(hex_)
                self.stop_kind.push_back(data[at])
                self.stop_cost.push_back(data[at + 1])
                at += 2
            self.stops += n_stops
            for i in range(n_paths):
                part.hex = hex_
                part.index = i
                for e in range(2):
                    part.kind[e] = data[at + 4 * e]
                    part.at[e] = data[at + 4 * e + 1]
                    part.width[e] = data[at + 4 * e + 2]
                    part.lane[e] = data[at + 4 * e + 3]
                    part.key[e] = -1
                    if part.kind[e] == SIDE_END:
                        part.key[e] = hex_ * KEYS_PER_HEX + part.at[e] * 6 + part.lane[e]
                    elif part.kind[e] == STOP_END:
                        part.at[e] += base
                part.terminal = data[at + 8]
                part.ferry = data[at + 9]
                part.rim = -1
                if data[at + 10] >= 0:
                    part.rim = hex_ * KEYS_PER_HEX + TOWN_KEYS + data[at + 10]
                part.track = data[at + 11]
                at += 12
                self.paths.push_back(part)

    cdef void link_ends(self):
        """Index path ends by hex side and by stop (end number = path * 2 + which)."""
        cdef int i, e, slot
        self.first_at.assign(self.hexes * 6, -1)
        self.next_at.assign(self.paths.size() * 2, -1)
        self.stop_first.assign(self.stops, -1)
        self.stop_next.assign(self.paths.size() * 2, -1)
        for i in range(<int>self.paths.size() - 1, -1, -1):
            for e in range(1, -1, -1):
                if self.paths[i].kind[e] == SIDE_END:
                    slot = self.paths[i].hex * 6 + self.paths[i].at[e]
                    self.next_at[i * 2 + e] = self.first_at[slot]
                    self.first_at[slot] = i * 2 + e
                elif self.paths[i].kind[e] == STOP_END:
                    slot = self.paths[i].at[e]
                    self.stop_next[i * 2 + e] = self.stop_first[slot]
                    self.stop_first[slot] = i * 2 + e

    cdef int trace_all(self, bint from_everywhere, int limit) except -1:
        """Trace chains outwards from tokens (or every stop), through stops that let trains pass."""
        cdef vector[int] queue
        cdef Tracer tracer = Tracer(self, limit)
        cdef int i, head = 0, stop, chain, other, seen = 0
        for i in range(self.stops):
            if self.token[i] or from_everywhere:
                self.reached[i] = 1
                queue.push_back(i)
        while head < <int>queue.size():
            stop = queue[head]
            head += 1
            if self.blocked[stop] and not self.token[stop] and not from_everywhere:
                continue  # a train may end here, but track beyond is of no use
            tracer.trace(stop)
            while seen < <int>self.chains.size():
                chain = seen
                seen += 1
                other = self.chains[chain].b if self.chains[chain].a == stop else self.chains[chain].a
                if not self.reached[other]:
                    self.reached[other] = 1
                    queue.push_back(other)
        return 0

    cdef void compress(self, const int* shared, int shared_length):
        """Turn raw keys into resource bits: keys used by the same chains share a bit."""
        cdef int i, k, bit, at, count, n = <int>self.chains.size()
        cdef uint64_t mixed
        cdef vector[uint64_t] signature
        cdef vector[int] keys = self.chain_keys   # each once, in order
        cdef vector[int] place                    # of each key of a chain among these
        cdef vector[int] key_bit
        cdef unordered_map[uint64_t, int] bits
        sort(keys.begin(), keys.end())
        keys.erase(unique(keys.begin(), keys.end()), keys.end())
        signature.assign(keys.size(), 0)
        key_bit.assign(keys.size(), -1)
        place.reserve(self.chain_keys.size())
        for i in range(n):
            mixed = (<uint64_t>(i + 1)) * <uint64_t>0x9E3779B97F4A7C15
            mixed ^= mixed >> 29
            mixed *= <uint64_t>0xBF58476D1CE4E5B9
            mixed ^= mixed >> 32
            for k in range(self.key_first[i], self.key_first[i + 1]):
                place.push_back(<int>(lower_bound(keys.begin(), keys.end(), self.chain_keys[k]) - keys.begin()))
                signature[place[k]] += mixed
        self.resources = 0
        for k in range(<int>signature.size()):
            mixed = signature[k]
            if bits.count(mixed) == 0:
                bits[mixed] = self.resources
                self.resources += 1
            key_bit[k] = bits[mixed]
        at = 0
        bit = self.resources
        while at < shared_length:
            at += 1 + shared[at]
            bit += 1
        self.resource_words = (bit + 63) // 64
        if self.resource_words == 0:
            self.resource_words = 1
        self.chain_mask.assign(n * self.resource_words, 0)
        self.stop_mask.assign(self.stops * self.resource_words, 0)
        for i in range(n):
            for k in range(self.key_first[i], self.key_first[i + 1]):
                set_bit(&self.chain_mask[i * self.resource_words], key_bit[place[k]])
        at = 0
        while at < shared_length:
            count = shared[at]
            for k in range(at + 1, at + 1 + count):
                set_bit(&self.stop_mask[shared[k] * self.resource_words], self.resources)
            self.resources += 1
            at += 1 + count

    def along(self, int chain, bint backwards, tuple names):
        """Return what a chain runs over, from its stop a to b or backwards, with hexes by their names.

        ``(track, hexes, first stop, last stop)``: the track as (hex, path of its tile), and its hexes, those
        of paths joined by a junction once.
        """
        cdef int i, at, before = -1
        cdef Chain c
        cdef PathPart* part
        if not 0 <= chain < <int>self.chains.size():
            raise IndexError(f"there is no chain {chain}")
        c = self.chains[chain]
        track, hexes = [], []
        for i in range(c.count):
            at = c.first + (c.count - 1 - i if backwards else i)
            part = &self.paths[self.chain_paths[at]]
            name = names[part.hex]
            track.append((name, part.index))
            if part.hex != before:
                hexes.append(name)
            before = part.hex
        if backwards:
            return track, tuple(hexes), c.b, c.a
        return track, tuple(hexes), c.a, c.b


cdef class Tracer:
    """Depth-first walk over track without stops, from one stop to the next ones."""

    cdef Network net
    cdef int limit
    cdef int start
    cdef vector[int] trail       # paths so far
    cdef vector[int] keys        # raw keys so far
    cdef vector[int] junctions   # hex * 8 + junction passed so far
    cdef vector[char] used
    cdef vector[char] traced
    cdef long long steps

    def __init__(self, Network net, int limit):
        cdef int key
        self.net = net
        self.limit = limit
        self.steps = 400 * <long long>limit
        self.used.resize(net.hexes * KEYS_PER_HEX)
        for key in net.banned:
            self.used[key] = 1
        self.traced.resize(net.stops)

    cdef int trace(self, int stop) except -1:
        """Record every chain from ``stop`` to a stop that was not traced before."""
        cdef int end = self.net.stop_first[stop]
        self.start = stop
        self.traced[stop] = 1
        while end >= 0:
            self.step(end >> 1, end & 1)
            end = self.net.stop_next[end]
        return 0

    cdef bint take(self, int key) except -1:
        if self.used[key]:
            return False
        self.used[key] = 1
        self.keys.push_back(key)
        return True

    cdef int undo(self, size_t size) except -1:
        while self.keys.size() > size:
            self.used[self.keys.back()] = 0
            self.keys.pop_back()
        return 0

    cdef int step(self, int path, int entry) except -1:
        """Walk over ``path`` from its end ``entry`` to the other one, and on from there."""
        cdef PathPart* part = &self.net.paths[path]
        cdef int leave = 1 - entry, i
        cdef size_t size = self.keys.size()
        cdef bint free = True
        self.steps -= 1
        if self.steps < 0:
            raise OverflowError("the track between the stops branches too often")
        for i in range(<int>self.trail.size()):
            if self.trail[i] == path:
                return 0
        if part.key[entry] >= 0:
            free = self.take(part.key[entry])
        if free and part.key[leave] >= 0:
            free = self.take(part.key[leave])
        if free and part.rim >= 0:
            free = self.take(part.rim)
        if free and part.kind[0] != SIDE_END and part.kind[1] != SIDE_END:
            free = self.take(part.hex * KEYS_PER_HEX + PIECE_KEYS + part.index)
        if free:
            self.trail.push_back(path)
            if part.kind[leave] == STOP_END:
                self.record(part.at[leave])
            elif part.kind[leave] == SIDE_END:
                self.cross(part, leave)
            else:
                self.pass_junction(part, path, leave)
            self.trail.pop_back()
        self.undo(size)
        return 0

    cdef int cross(self, PathPart* part, int leave) except -1:
        """Go over a hex side onto every path that meets the track there."""
        cdef int other = self.net.neighbor[part.hex * 6 + part.at[leave]]
        cdef int end, path, width, lane
        cdef PathPart* next_part
        if other < 0:
            return 0
        end = self.net.first_at[other * 6 + (part.at[leave] + 3) % 6]
        while end >= 0:
            path = end >> 1
            next_part = &self.net.paths[path]
            width = next_part.width[end & 1]
            lane = next_part.lane[end & 1]
            if tracks_meet(part.track, next_part.track) and lanes_meet(
                    part.width[leave], part.lane[leave], width, lane):
                self.step(path, end & 1)
            end = self.net.next_at[end]
        return 0

    cdef int pass_junction(self, PathPart* part, int path, int leave) except -1:
        """Go through a junction of the same hex, once in a chain."""
        cdef int code = part.hex * 8 + part.at[leave], i, e, other
        for i in range(<int>self.junctions.size()):
            if self.junctions[i] == code:
                return 0
        self.junctions.push_back(code)
        other = path
        while other > 0 and self.net.paths[other - 1].hex == part.hex:
            other -= 1
        while other < <int>self.net.paths.size() and self.net.paths[other].hex == part.hex:
            for e in range(2):
                if (other != path and self.net.paths[other].kind[e] == JUNCTION_END
                        and self.net.paths[other].at[e] == part.at[leave]):
                    self.step(other, e)
            other += 1
        self.junctions.pop_back()
        return 0

    cdef int record(self, int stop) except -1:
        """Keep the chain from the start to ``stop``."""
        cdef Chain chain
        cdef Network net = self.net
        cdef int n = <int>self.trail.size(), i
        cdef PathPart* first = &net.paths[self.trail[0]]
        cdef PathPart* last = &net.paths[self.trail[n - 1]]
        if stop == self.start or self.traced[stop]:
            return 0
        for i in range(1, n - 1):
            if net.paths[self.trail[i]].terminal:
                return 0
        if <int>net.chains.size() >= self.limit:
            raise OverflowError(f"more than {self.limit} pieces of track between stops")
        chain.a = self.start
        chain.b = stop
        chain.first = <int>net.chain_paths.size()
        chain.count = n
        chain.side_a = end_side(first, self.start)
        chain.side_b = end_side(last, stop)
        chain.terminal_a = first.terminal and n > 1
        chain.terminal_b = last.terminal and n > 1
        chain.ferry = (net.merging[net.stop_hex[stop]] and net.stop_hex[stop] == net.stop_hex[self.start])
        if net.key_first.empty():
            net.key_first.push_back(0)
        for i in range(n):
            net.chain_paths.push_back(self.trail[i])
        for i in range(<int>self.keys.size()):
            net.chain_keys.push_back(self.keys[i])
        net.key_first.push_back(<int>net.chain_keys.size())
        net.chains.push_back(chain)
        return 0


cdef inline int end_side(PathPart* part, int stop) noexcept nogil:
    """Side of the hex by which a chain leaves ``stop``, as hex * 8 + side, or -1."""
    cdef int e = 0 if part.kind[1] == STOP_END and part.at[1] == stop else 1
    if part.kind[e] == SIDE_END:
        return part.hex * 8 + part.at[e]
    return -1


cdef inline bint tracks_meet(int near, int far) noexcept nogil:
    """Whether track of these gauges joins over a side."""
    return near == far or near == DUAL or far == DUAL


cdef inline bint lanes_meet(int width, int lane, int other_width, int other_lane) noexcept nogil:
    """Whether parallel tracks on both sides of a hex side are the same one.

    Seen from the other hex the order is turned round; a narrower bundle meets the middle of a wider.
    """
    cdef int wide = max(width, other_width)
    return (lane + (wide - width) // 2) == wide - 1 - (other_lane + (wide - other_width) // 2)
