"""Hangul syllables taken apart, and the forms of a verb that its stem does not begin."""

from __future__ import annotations

FIRST, LAST = 0xAC00, 0xD7A3
FINALS, VOWELS = 28, 21
FINAL_N, FINAL_L, FINAL_B, FINAL_SS = 4, 8, 17, 20
HANGUL = "가-힣"
WITH_L = "".join(chr(code) for code in range(FIRST + FINAL_L, LAST + 1, FINALS))
"""Every syllable that ends in -l."""


def parts(syllable: str) -> tuple[int, int, int]:
    """Return (initial, vowel, final) of a Hangul syllable; final is 0 for an open one."""
    code = ord(syllable) - FIRST
    return code // (FINALS * VOWELS), code // FINALS % VOWELS, code % FINALS


def joined(initial: int, vowel: int, final: int = 0) -> str:
    """Return the syllable of three parts."""
    return chr(FIRST + (initial * VOWELS + vowel) * FINALS + final)


def is_hangul(char: str) -> bool:
    """Return True for a Hangul syllable."""
    return FIRST <= ord(char) <= LAST


def final_of(char: str) -> int:
    """Return the final of a syllable, 0 for an open one, -1 for anything else."""
    return (ord(char) - FIRST) % FINALS if is_hangul(char) else -1


def bare(word: str) -> str:
    """Return a stem whose last syllable has lost the -n or -b of an ending."""
    initial, vowel, _ = parts(word[-1])
    return word[:-1] + joined(initial, vowel)


_ENDINGS = "고 면 는 지 기 며 니 었 던 도록 려고 게 거나 시오 어서 어야 기로".split()


def forms_of_stem(stem: str) -> tuple[str, ...]:
    """Return the forms of a verb that its stem alone does not begin, or is too short to tell.

    Examples
    --------
    >>> forms_of_stem("쓰")[:4], forms_of_stem("읽")[:2]
    (('쓸', '쓴', '쓰고', '쓰면'), ('읽을', '읽은'))
    """
    if " " in stem or not is_hangul(stem[-1]):
        return (stem,) * (len(_ENDINGS) + 2)
    last = parts(stem[-1])
    if last[2]:
        turned: tuple[str, ...] = (stem + "을", stem + "은")
    else:
        turned = tuple(stem[:-1] + joined(*last[:2], final) for final in (FINAL_L, FINAL_N))
    loose = "으" if last[2] else ""
    endings = (loose + end if end in {"면", "며", "니", "려고"} else end for end in _ENDINGS)
    return (*turned, *(stem + end for end in endings))
