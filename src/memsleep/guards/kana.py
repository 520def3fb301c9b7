"""Japanese words said politely or plainly, in full or half width, as one form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from memsleep.guards.lexicon import Lexicon

_I_ROW = "きぎしちにびみりい"
_U_ROW = "くぐすつぬぶむるう"
_A_ROW = "かがさたなばまらわ"
_E_ROW = "えけげせぜてでねべめれ"
_PAST = ("いた", "いだ", "した", "った", "んだ", "んだ", "んだ", "った", "った")
_TO_U = dict(zip(_I_ROW, _U_ROW, strict=True))
_TO_A = dict(zip(_I_ROW, _A_ROW, strict=True))
_TO_PAST = dict(zip(_I_ROW, _PAST, strict=True))
_A_TO_U = dict(zip(_A_ROW, _U_ROW, strict=True))
_U_TO_I = {u: i for i, u in _TO_U.items()}
_KANJI = "々〆\u3400-\u4dbf\u4e00-\u9fff"
_HIRAGANA = "ぁ-ん"

_SU_VERB = re.compile(f"(?:(?:^|[^{_KANJI}ァ-ー])[{_KANJI}][とら]?|[かやらこわま])\\Z")
_STEM = f"([{_KANJI}{_HIRAGANA}ァ-ーa-z0-9]+?)"
_POLITE = re.compile(f"(?:{_STEM})(ませんでした|ました|ません|まして|ましょう|ます)(?![うい])")
_ENDINGS: Mapping[str, str] = {
    "ます": "", "ました": "past", "ません": "not", "ませんでした": "not past",
    "まして": "te", "ましょう": "let",
}  # fmt: skip
_HALF_WIDTH = re.compile("[\uff65-\uff9f]+")
_MUST = re.compile(
    f"([{_KANJI}{_HIRAGANA}])(?:なければ|なくては|ないと|ねば|なきゃ)"
    "(?:ならない|いけない|ならぬ|だめだ|だめです|だめ|ならず)"
    f"|([{_KANJI}{_HIRAGANA}])ないわけには(?:い|行)かない"
)
_HAS_TO = re.compile("ざるを(?:得|え)ない")
_NOT_POLITE = re.compile("(?:では|じゃ)(?:ありません|ないです|ない)|でないです")
_WAS_NOT_POLITE = re.compile("(?:では|じゃ)(?:ありませんでした|なかったです|なかった)")
_MUST_NOT = re.compile("(?<=[てで])は(?:ならない|だめだ|だめです|だめ|ダメだ|駄目だ|いけない)")
_MAY = re.compile("(?<=[てで])も?(?:よい|いい|良い|構わない|かまわない)(?:です)?")
_COPULA_PAST = re.compile("(?:でした|であった|でありました)")
_AFTER_ADJECTIVE = re.compile("(?<=[いた])です(?=[。、,.!?\\s」)かがけしのよねと]|\\Z)")
_GOING_ON = re.compile("(?<=[てで])(?:る|おります|おる|います|いる)(?=[。、,.!?\\s」)]|\\Z)")


def full_width(text: str) -> str:
    """Return a text whose half-width katakana are written in full."""
    return _HALF_WIDTH.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)


_RU: Mapping[str, str] = {
    "": "る", "past": "た", "not": "ない", "not past": "なかった", "te": "て", "let": "よう",
}  # fmt: skip
_SURU: Mapping[str, str] = {
    "": "する", "past": "した", "not": "しない", "not past": "しなかった", "te": "して",
    "let": "しよう",
}  # fmt: skip


class JapaneseVerbs:
    """The verbs of a Japanese text; the lists name those of one step that end like others."""

    def __init__(self, words: Lexicon) -> None:
        self._one_step = re.compile(
            f"(?:{words.any_of('one_step')}|(?:\\A|(?<=[てでにがはもへと]))い)\\Z"
        )
        self._one_step_kanji = frozenset(words.words("one_step_kanji"))

    def plain(self, text: str) -> str:
        """Return a text whose polite forms are plain, obligations and copulas in one form.

        A verb that this takes for another stays unlike its plain form: a question, no merge.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = JapaneseVerbs(Lexicon(table_of("ja"))).plain
        >>> plain("作ります。"), plain("読みました"), plain("書きません"), plain("確認しました")
        ('作る。', '読んだ', '書かない', '確認した')
        """
        text = full_width(text)
        if "ま" in text:
            text = _POLITE.sub(lambda m: self.conjugated(m[1], _ENDINGS[m[2]]), text)
        text = _WAS_NOT_POLITE.sub("ではなかった", text)
        text = _NOT_POLITE.sub("ではない", text)
        text = _HAS_TO.sub("なければならない", text.replace("せざるを", "しざるを"))
        text = _MUST.sub(_must, text)
        text = _MUST_NOT.sub("はいけない", _MAY.sub("もよい", text))
        text = _COPULA_PAST.sub("だった", text)
        return _GOING_ON.sub("いる", _AFTER_ADJECTIVE.sub("", text))

    def conjugated(self, stem: str, how: str) -> str:
        """Return a verb whose stem before -masu is given in a plain form."""
        if stem.endswith("あり") and how in {"not", "not past"}:
            return stem[:-2] + ("ない" if how == "not" else "なかった")
        last = stem[-1]
        if last == "し" and not _SU_VERB.search(stem[:-1]):
            return stem[:-1] + _SURU[how]
        if stem in {"来", "き"} or last not in _TO_U or self._one_step.search(stem):
            return stem + _RU[how]
        return stem[:-1] + _moved(stem, how)

    def forms_of(self, verb: str) -> tuple[str, ...]:
        """Return the forms of a verb that a text may have instead of the one in a table.

        The same places hold the same forms, so that two verbs of one meaning go in pairs.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> verbs = JapaneseVerbs(Lexicon(table_of("ja")))
        >>> verbs.forms_of("送る")[:4]
        ('送る', '送った', '送って', '送らない')
        >>> verbs.forms_of("確認する")[:4]
        ('確認する', '確認した', '確認して', '確認しない')
        """
        if verb.endswith("する"):
            return tuple(verb[:-2] + end for end in _SURU_FORMS)
        stem, last = verb[:-1], verb[-1]
        one_step = stem[-1] in _E_ROW or stem in self._one_step_kanji or self._one_step.search(stem)
        if last == "る" and one_step:
            return tuple(stem + end for end in _RU_FORMS)
        if last not in _U_TO_I:
            return (verb,) * len(_RU_FORMS)
        i, whole = _U_TO_I[last], stem + _U_TO_I[last]
        a = stem + _TO_A[i]
        e = stem + dict(zip(_U_ROW, "けげせてねべめれえ", strict=True))[last]
        return (
            verb, stem + _moved(whole, "past"), stem + _moved(whole, "te"), a + "ない",
            a + "なかった", whole, e + "ば", e + "る", e + "ない", e + "た", a + "れる", a + "れた",
            a + "れて",
        )  # fmt: skip


_SURU_FORMS = tuple(
    "する した して しない しなかった し すれば できる できない できた される された されて".split()
)
_RU_FORMS = tuple(
    "る た て ない なかった  れば られる られない られた られる られた られて".split(" ")
)


def _moved(stem: str, how: str) -> str:
    last = stem[-1]
    past = "った" if stem.endswith("行き") else _TO_PAST[last]
    if how == "past":
        return past
    if how == "te":
        return past[:-1] + ("で" if past.endswith("だ") else "て")
    if how in {"not", "not past"}:
        return _TO_A[last] + ("ない" if how == "not" else "なかった")
    return _TO_U[last] if not how else last + "ましょう"


def _must(match: re.Match[str]) -> str:
    last = match[1] or match[2]
    if last == "し":
        return "する必要がある"
    return _A_TO_U.get(last, last + "る") + "必要がある"
