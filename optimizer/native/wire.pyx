# cython: language_level=3
# distutils: language = c++
"""Fields of protobuf messages, found without decoding what is in them.

The bytes of two equal things are usually equal, so what was read and checked once is known again by its
bytes; finding them here costs a small part of decoding them. Anything that is not written in the plain
way, or not at all as the format wants it, gives None: then the message must be decoded as usual.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memcmp, memcpy

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
    """Read a number of at most ``most`` (up to 9) bytes; return the place after it, or -1.

    One that is longer than it must be is not read: what is the same shall be written the same.
    """
    cdef int shift = 0
    value[0] = 0
    while place < end and shift < 7 * most:
        value[0] |= <unsigned long long>(data[place] & 0x7F) << shift
        place += 1
        if data[place - 1] < 0x80:
            return place if shift == 0 or data[place - 1] else -1
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


cdef bint is_text(const unsigned char* data, Py_ssize_t begin, Py_ssize_t end):
    """Tell whether bytes are UTF-8."""
    try:
        PyUnicode_DecodeUTF8(<const char*>data + begin, end - begin, NULL)
    except UnicodeDecodeError:
        return False
    return True


def split_request(bytes data not None, int position, int item):
    """Split a request into its position and the rest.

    ``position``: number of the field with the position; ``item``: that of the item's id, 0 if there is
    none. Returns where the position's bytes begin and end in ``data``, and the bytes of all fields but
    these two; or None if the position is not there just once, or an id is no text.
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
        elif field.kind != BYTES or not is_text(raw, field.content, field.end):
            return None
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


def request_parts(bytes data not None, int position, int item, int name, int repeated):
    """Split a request: :func:`split_request`, and its position as :func:`split_fields` does.

    Returns the position's name, its head and its items, and the bytes of the rest of the request; None if
    one of the two does, or if the name is no text.
    """
    request = split_request(data, position, item)
    if request is None:
        return None
    begin, end, rest = <tuple>request
    parts = split_fields(data, begin, end, name, repeated)
    if parts is None:
        return None
    label, head, items = <tuple>parts
    if not label:
        return "", head, items, rest
    try:
        return (<bytes>label).decode(), head, items, rest
    except UnicodeDecodeError:
        return None


cdef bint key_of(bytes entry, Field* key):
    """Find the key of a map's entry; False if the entry is not a key and then a value."""
    cdef const unsigned char* raw = entry
    cdef Py_ssize_t end = len(entry)
    cdef Field value
    if not next_field(raw, 0, end, key) or raw[0] != KEY_TAG:
        return False
    return key.end < end and raw[key.end] == VALUE_TAG and next_field(raw, key.end, end, &value) and value.end == end


def entry_value(bytes entry not None):
    """Return key and value of a map's entry: the key as text, the value's bytes with tag and length.

    None if the entry is not a key and then a value.
    """
    cdef const unsigned char* raw = entry
    cdef Field key
    if not key_of(entry, &key):
        return None
    try:
        text = PyUnicode_DecodeUTF8(<const char*>raw + key.content, key.end - key.content, NULL)
    except UnicodeDecodeError:
        return None
    return text, cut(raw, key.end, len(entry))


cdef int compare_keys(bytes one, Field* of_one, bytes other, Field* of_other) noexcept:
    """Return a number below, equal to or above 0 as one key comes before, is, or comes after the other.

    The order of UTF-8's bytes is that of the texts.
    """
    cdef Py_ssize_t size = of_one.end - of_one.content, other_size = of_other.end - of_other.content
    cdef int found = memcmp(
        PyBytes_AS_STRING(one) + of_one.content,
        PyBytes_AS_STRING(other) + of_other.content,
        min(size, other_size),
    )
    return found if found or size == other_size else (-1 if size < other_size else 1)


def content(bytes head not None, list entries not None):
    """Return bytes that stand for a head and a map's entries in whatever order.

    None if an entry is not a key and then a value, or if two have one key: then their order counts.
    """
    cdef list ordered = sorted(entries)
    cdef Py_ssize_t size = 8 * (len(ordered) + 1) + len(head), place = 0
    cdef Field key, last = Field(0, 0, 0, 0, 0)
    cdef bytes entry, before = None
    for entry in ordered:
        # Entries of one key begin alike, so they come one after the other.
        if entry is None or not key_of(entry, &key) or before is not None and not compare_keys(before, &last, entry, &key):
            return None
        before, last = entry, key
        size += len(entry)
    cdef bytes found = PyBytes_FromStringAndSize(NULL, size)
    cdef char* data = PyBytes_AS_STRING(found)
    place = put(data, place, head)
    for entry in ordered:
        place = put(data, place, entry)
    return found


cdef Py_ssize_t put(char* data, Py_ssize_t place, bytes piece) noexcept:
    """Write a piece's length and the piece; return the place after it."""
    cdef unsigned long long size = <unsigned long long>PyBytes_GET_SIZE(piece)
    memcpy(data + place, &size, 8)
    memcpy(data + place + 8, PyBytes_AS_STRING(piece), size)
    return place + 8 + <Py_ssize_t>size


def known_pairs(list entries not None, dict known not None, int places):
    """Look up a map's entries by their bytes.

    ``known`` gives for each the place of its key in the order of all keys, of which there are ``places``,
    the pair of key and value, and whether the value is marked. Returns the pairs in order, the same as a
    mapping, and the marked ones of them; None if one is not known, or if two have one key.
    """
    cdef list in_order = [None] * places, found = [], marked = []
    cdef dict mapping = {}
    cdef tuple row, pair
    cdef Py_ssize_t place
    for entry in entries:
        row = known.get(entry)
        if row is None:
            return None
        if len(row) != 3:
            raise ValueError("not a place, a pair and a mark")
        place = row[0]
        if not 0 <= place < places:
            raise ValueError(f"no place {place} among {places}")
        if in_order[place] is not None:
            return None
        in_order[place] = row
    for row in in_order:
        if row is None:
            continue
        pair = row[1]
        if pair is None or len(pair) != 2:
            raise ValueError("not a pair of key and value")
        found.append(pair)
        mapping[pair[0]] = pair[1]
        if row[2]:
            marked.append(pair)
    return tuple(found), mapping, tuple(marked)


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
