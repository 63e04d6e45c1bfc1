# cython: language_level=3
# distutils: language = c++
"""Fields of protobuf messages, found without decoding what is in them.

The bytes of two equal things are usually equal, so what was read and checked once is known again by its
bytes; finding them here costs a small part of decoding them. Anything that is not written in the plain
way, or not at all as the format wants it, gives None: then the message must be decoded as usual.
"""

from operator import itemgetter

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8

_KEY = itemgetter(0)

cdef enum:
    VARINT = 0
    FIXED64 = 1
    BYTES = 2
    FIXED32 = 5

# An entry of a map: its key is field 1, its value field 2, both of some length.
cdef enum:
    KEY_TAG = 10
    VALUE_TAG = 18


cdef struct Field:
    int number
    int kind
    Py_ssize_t begin    # of the tag
    Py_ssize_t content  # of what comes after tag and length
    Py_ssize_t end


# Bytes that a tag or a length may take: the format's own limit.
cdef enum:
    MOST_BYTES = 5


cdef Py_ssize_t varint(const unsigned char* data, Py_ssize_t place, Py_ssize_t end, unsigned long long* value, int most) noexcept nogil:
    """Read a number of at most ``most`` (up to 9) bytes; return the place after it, or -1."""
    cdef int shift = 0
    value[0] = 0
    while place < end and shift < 7 * most:
        value[0] |= <unsigned long long>(data[place] & 0x7F) << shift
        place += 1
        if data[place - 1] < 0x80:
            return place
        shift += 7
    return -1


cdef bint next_field(const unsigned char* data, Py_ssize_t place, Py_ssize_t end, Field* field) noexcept nogil:
    """Read the field at ``place``; False if there is none that can be understood."""
    cdef unsigned long long tag, size
    field.begin = place
    place = varint(data, place, end, &tag, MOST_BYTES)
    if place < 0 or tag >> 3 == 0 or tag >> 32:
        return False
    field.number = <int>(tag >> 3)
    field.kind = <int>(tag & 7)
    if field.kind == VARINT:
        field.content = place
        place = varint(data, place, end, &size, 9)
        if place < 0:
            return False
        field.end = place
        return True
    if field.kind == BYTES:
        place = varint(data, place, end, &size, MOST_BYTES)
        if place < 0:
            return False
    elif field.kind == FIXED64 or field.kind == FIXED32:
        size = 8 if field.kind == FIXED64 else 4
    else:
        return False
    if size > <unsigned long long>(end - place):
        return False
    field.content = place
    field.end = place + <Py_ssize_t>size
    return True


cdef bytes cut(const unsigned char* data, Py_ssize_t begin, Py_ssize_t end):
    return PyBytes_FromStringAndSize(<const char*>data + begin, end - begin)


def split_request(bytes data not None, int position, int item):
    """Split a request into its position and the rest.

    ``position``: number of the field with the position; ``item``: that of the item's id, 0 if there is
    none. Returns where the position's bytes begin and end in ``data``, and the bytes of all fields but
    these two; or None if the position is not there just once.
    """
    cdef const unsigned char* raw = data
    cdef Py_ssize_t place = 0, end = len(data), begin = -1, stop = 0
    cdef Field field
    cdef list rest = []
    while place < end:
        if not next_field(raw, place, end, &field):
            return None
        if field.number == position:
            if begin >= 0 or field.kind != BYTES:
                return None
            begin = field.content
            stop = field.end
        elif field.number != item or item == 0:
            rest.append(cut(raw, field.begin, field.end))
        place = field.end
    if begin < 0:
        return None
    return begin, stop, rest[0] if len(rest) == 1 else b"".join(rest)


def split_fields(bytes data not None, Py_ssize_t begin, Py_ssize_t end, int name, int repeated):
    """Split the message from ``begin`` to ``end`` into a name, its head and the items of a field.

    ``name`` and ``repeated``: numbers of the fields with the name and with the items. Returns the bytes of
    the name, those of all other fields but the items (the *head*), and a list of each item's bytes; or None
    if there are several names.
    """
    cdef const unsigned char* raw = data
    cdef Py_ssize_t place = begin
    cdef Field field
    cdef list head = [], items = []
    cdef bytes label = b""
    cdef bint named = False
    cdef Py_ssize_t since = begin  # where the part of the head begins that was not cut yet
    if not 0 <= begin <= end <= len(data):
        return None
    while place < end:
        if not next_field(raw, place, end, &field):
            return None
        if field.number == name or field.number == repeated:
            if field.kind != BYTES:
                return None
            if since < field.begin:
                head.append(cut(raw, since, field.begin))
            since = field.end
            if field.number == name:
                if named:
                    return None
                named = True
                label = cut(raw, field.content, field.end)
            else:
                items.append(cut(raw, field.content, field.end))
        place = field.end
    if since < end:
        head.append(cut(raw, since, end))
    return label, head[0] if len(head) == 1 else b"".join(head), items


def entry_value(bytes entry not None):
    """Return key and value of a map's entry: the key as text, the value's bytes with tag and length.

    None if the entry is not a key and then a value.
    """
    cdef const unsigned char* raw = entry
    cdef Py_ssize_t end = len(entry)
    cdef Field key, value
    if not next_field(raw, 0, end, &key) or raw[0] != KEY_TAG:
        return None
    if key.end == end or raw[key.end] != VALUE_TAG or not next_field(raw, key.end, end, &value) or value.end != end:
        return None
    try:
        text = PyUnicode_DecodeUTF8(<const char*>raw + key.content, key.end - key.content, NULL)
    except UnicodeDecodeError:
        return None
    return text, cut(raw, key.end, end)


def distinct(list entries not None):
    """Tell whether each entry of a map is a key and then a value, and no two have one key."""
    cdef set keys = set()
    for entry in entries:
        pair = entry_value(entry)
        if pair is None:
            return False
        keys.add((<tuple>pair)[0])
    return len(keys) == len(entries)


def known_pairs(list entries not None, dict known not None):
    """Look up a map's entries by their bytes: ``known`` gives a pair of key and value for each.

    Returns the pairs in order of their keys; None if one is not known, or if two have one key.
    """
    cdef list found = []
    cdef bint ordered = True
    cdef object last = None
    for entry in entries:
        pair = known.get(entry)
        if pair is None:
            return None
        key = (<tuple>pair)[0]
        if last is not None and not <str>last < <str>key:
            ordered = False
        last = key
        found.append(pair)
    if not ordered:
        found.sort(key=_KEY)
        for i in range(1, len(found)):
            if (<tuple>found[i - 1])[0] == (<tuple>found[i])[0]:
                return None
    return tuple(found)


def look_up(list entries not None, dict by_value not None, by_place not None, dict by_entry not None):
    """Look up what is known of a map's entries.

    ``by_value``: what is known by the value alone, for keys in ``by_place``; ``by_entry``: by key and value.
    Returns what was found by key, and by key the entries of which nothing is known; or None if one is not
    a key and then a value, or if two have one key.
    """
    cdef dict found = {}, fresh = {}
    cdef bytes entry
    for entry in entries:
        pair = entry_value(entry)
        if pair is None:
            return None
        key, value = <tuple>pair
        if key in found or key in fresh:
            return None
        known = by_value.get(value)
        if known is None or key not in by_place:
            known = by_entry.get(entry)
        if known is None:
            fresh[key] = entry
        else:
            found[key] = known
    return found, fresh
