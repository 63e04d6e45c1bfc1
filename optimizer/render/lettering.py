"""How wide text is: advance widths of DejaVu Sans, the font that the pictures name first."""

from __future__ import annotations

import unicodedata

# Thousandths of the font size, from the space (U+0020) to the tilde (U+007E).
_BOOK = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775,
    752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390,
    337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)  # fmt: skip
_BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696,
    696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821,
    837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457,
    365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
    716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
)  # fmt: skip


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text in drawing units. Letters outside ASCII count as their base."""
    table = _BOLD if bold else _BOOK
    total = 0
    for letter in text:
        if not " " <= letter <= "~":
            letter = unicodedata.normalize("NFD", letter)[0]
        total += table[ord(letter) - 32] if " " <= letter <= "~" else 800
    return total * size / 1000


def split_name(name: str, most: float, size: float) -> tuple[str, ...]:
    """Return a name on one line if it fits into ``most``, else on two lines as even as may be."""
    if text_width(name, size) <= most:
        return (name,)
    breaks = [i + 1 for i, letter in enumerate(name) if letter in " -/" and 0 < i < len(name) - 1]
    if not breaks:
        return (name,)
    pairs = [(name[:i].strip(), name[i:].strip()) for i in breaks]
    return min(pairs, key=lambda pair: max(text_width(line, size) for line in pair))


def wrap(words: list[str], most: float, size: float) -> list[list[int]]:
    """Spread words over lines no wider than ``most`` (a longer word has its own line); return indices."""
    lines: list[list[int]] = [[]]
    used = 0.0
    for index, word in enumerate(words):
        width = text_width(word + " ", size)
        if lines[-1] and used + width > most:
            lines.append([])
            used = 0.0
        lines[-1].append(index)
        used += width
    return lines
