"""Korean words without what courtesy and sound alone change: endings, and the forms of particles.

A verb becomes its stem, with a past as `\uc5c8`: `\ubcf4\ub0c8\uc2b5\ub2c8\ub2e4` and
`\ubcf4\ub0c8\ub2e4` are one. Particles that tell who does what to whom stand apart and are kept.
"""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: E501

from __future__ import annotations

import re

_FIRST, _LAST = 0xAC00, 0xD7A3
_FINALS, _VOWELS = 28, 21
_N, _L, _M, _B, _SS = 4, 8, 16, 17, 20
_A, _AE, _YA, _EO, _E, _YEO, _O, _WA, _WAE, _OE, _U, _WEO, _EU, _I = (
    0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 13, 14, 18, 20,
)  # fmt: skip
_CONTRACTED = {_WA: _O, _WEO: _U, _YEO: _I, _WAE: _OE}
_EO_STEMS = frozenset("서 건너 나서 일어서 들어서".split())
_YEO_STEMS = frozenset("켜 펴".split())
_IRREGULAR = {
    "잠가": "잠그", "담가": "담그", "모아": "모으", "따라": "따르", "치러": "치르", "들러": "들르",
    "나아": "낫", "지어": "짓", "이어": "잇", "걸어": "걷", "들어": "듣", "물어": "묻",
}  # fmt: skip
_B_STEMS = frozenset(
    "추 더 어려 쉬 무거 가벼 매 고마 가까 아름다 새로 귀여 두꺼 뜨거 차가 어두 시끄러 부드러 즐거 "
    "외로 무서 미끄러 더러 싱거 안타까 반가 괴로 해로 자유로 부러 가려 도 고".split()
)
_L_STEMS = frozenset("열 살 만들 알 팔 걸 들 놀 돌 밀 빌 벌 불 울 풀 늘 줄 날 달 길 멀".split())
_HANGUL = "가-힣"
_ENDS = "(?=[\\s]*(?:[.!?,;:)\"'\\]*_`\u3002\uff0c]|\\n|\\Z))"
_WORD = re.compile(f"(?<![{_HANGUL}])[{_HANGUL}]+")


def parts(syllable: str) -> tuple[int, int, int]:
    """Return (initial, vowel, final) of a Hangul syllable; final is 0 for an open one."""
    code = ord(syllable) - _FIRST
    return code // (_FINALS * _VOWELS), code // _FINALS % _VOWELS, code % _FINALS


def joined(initial: int, vowel: int, final: int = 0) -> str:
    """Return the syllable of three parts."""
    return chr(_FIRST + (initial * _VOWELS + vowel) * _FINALS + final)


def is_hangul(char: str) -> bool:
    """Return True for a Hangul syllable."""
    return _FIRST <= ord(char) <= _LAST


def final_of(char: str) -> int:
    """Return the final of a syllable, 0 for an open one, -1 for anything else."""
    return (ord(char) - _FIRST) % _FINALS if is_hangul(char) else -1


def stem_of(word: str) -> str:
    """Return the stem of a verb that ends in its vowel form (-a, -eo), contracted or not.

    Examples
    --------
    >>> [stem_of(word) for word in "먹어 가 마셔 봐 해 써 보내 돼".split()]
    ['먹', '가', '마시', '보', '하', '쓰', '보내', '되']
    """
    if not is_hangul(word[-1]):
        return word
    return _irregular(word) or _contracted(word)


def _irregular(word: str) -> str | None:
    """Return the stem of a verb that changes before its vowel form, None for another."""
    last = word[-1]
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 1 and last in "라러" and final_of(word[-2]) == _L:
        return word[:-2] + joined(*parts(word[-2])[:2]) + "르"
    if last in "워와" and word[:-1] in _B_STEMS:
        return word[:-2] + joined(*parts(word[-2])[:2], _B)
    return word[:-1] + "하" if last == "해" else None


def _contracted(word: str) -> str:
    last = word[-1]
    if len(word) > 1 and (last in "아어" or (last == "여" and word[-2] == "하")):
        return word[:-1]
    initial, vowel, final = parts(last)
    if final or word in _YEO_STEMS | _EO_STEMS or last in _YEO_STEMS:
        return word
    if vowel in _CONTRACTED:
        return word[:-1] + joined(initial, _CONTRACTED[vowel])
    if vowel == _EO and word[-2:] not in _EO_STEMS:
        return word[:-1] + joined(initial, _EU)
    return word


def _bare(word: str) -> str:
    """Return a stem whose last syllable has lost the -n or -b of an ending."""
    initial, vowel, _ = parts(word[-1])
    return word[:-1] + joined(initial, vowel)


def _past(word: str) -> str:
    """Return the stem and the past mark of a word that ends in -ss."""
    if word.endswith(("있", "겠")):
        return word
    if word[-1] in "었았였" and len(word) > 1:
        return word[:-1].removesuffix("하여") + "었"
    initial, vowel, _ = parts(word[-1])
    return stem_of(word[:-1] + joined(initial, vowel)) + "었"


_COPULAS = ("이었습니다", "이었어요", "이었다", "였습니다", "였어요", "였다")
_IS = ("입니다", "이에요", "예요", "이다", "임", "이야", "이며", "이고")
_KEEPS_I = frozenset("줄 높 먹 보 쓰 붙 쌓 섞 끓 녹 속 죽 들 기울 모 놓 움직 반짝 벌".split())
_ORDERS = (
    "하시기바랍니다", "하십시오", "하세요", "하시오", "해주세요", "해주십시오", "하도록하세요",
)  # fmt: skip


def plain_word(word: str, *, ends: bool) -> str:
    """Return a word without what courtesy adds; `ends` says that a clause ends behind it.

    Examples
    --------
    >>> [plain_word(w, ends=True) for w in "보냈습니다 보내요 보낸다 보냅니다 했다 합니다".split()]
    ['보내었', '보내', '보내', '보내', '하었', '하']
    """
    if len(word) < 2:
        return word
    if word.endswith("시다") and final_of(word[-3:-2] or "a") == _B:
        return _ordered(word) or word
    verb = _polite(word, ends=ends) or _plain(word)
    if verb is None:
        verb = _nominal(word) if ends else None
    if verb is None:
        return _ordered(word) or word
    return _stem_and_past(verb)


def _stem_and_past(verb: str) -> str:
    if final_of(verb[-1]) == _SS and not verb.endswith(("있", "겠")):
        return _past(verb)
    return verb[:-1] + "하" if verb.endswith("해") else verb


def _polite(word: str, *, ends: bool) -> str | None:
    if word.endswith("습니다") and len(word) > 3:
        return word[:-3]
    if word.endswith("니다") and len(word) > 2 and final_of(word[-3]) == _B:
        if word.endswith("입니다") and word[:-3] not in _KEEPS_I:
            return word[:-3] or None
        return _bare(word[:-2])
    if word.endswith("요") and (len(word) > 2 or (ends and word not in {"가요", "개요"})):
        return _haeyo(word)
    return None


def _haeyo(word: str) -> str | None:
    body = word[:-1]
    if body.endswith("이에"):
        return body[:-2] or None
    if body.endswith("예"):
        return body[:-1] or None
    if body.endswith("세"):
        return None
    if final_of(body[-1]) > 0:
        return None
    if body[-1] in "어아" and len(body) > 1 and final_of(body[-2]) == _SS:
        return body[:-1]
    if body[-1] in "지네데군고죠":
        return None
    return stem_of(body)


def _plain(word: str) -> str | None:
    if not word.endswith("다") or word.endswith("니다") or len(word) < 2:
        return None
    body = word[:-1]
    if body.endswith("는") and len(body) > 1:
        return body[:-1]
    if final_of(body[-1]) == _N and body not in {"안", "신"}:
        return _bare(body)
    if body.endswith("이") and len(body) > 1 and body[:-1] not in _KEEPS_I:
        return body[:-1]
    return body


def _nominal(word: str) -> str | None:
    """Return the stem of a verb that ends a clause as a noun in -m."""
    last = word[-1]
    if last == "음" and len(word) > 1 and final_of(word[-2]) > 0:
        return word[:-1]
    if last == "임" and len(word) > 1:
        return word[:-1]
    if last in "함됨":
        return word[:-1] + ("하" if last == "함" else "되")
    return None


def _ordered(word: str) -> str | None:
    """Return one form of a request for every politeness of it."""
    if word.endswith("시다") and len(word) > 2 and final_of(word[-3]) == _B:
        return (word[:-3] if word[-3] == "읍" else _bare(word[:-2])) + "자"
    for ending in ("십시오", "세요", "시오"):
        if word.endswith(ending) and len(word) > len(ending):
            stem = word[: -len(ending)]
            if stem.endswith("으"):
                stem = stem[:-1]
            return stem + "시오"
    return None


_SPLIT = re.compile(
    "([가-힣a-z0-9%]+?)(이|가|은|는|을|를|으로|로|와|과|에서|에게|한테|께서|에|의|부터|까지|마다|보다)"
    "(?![가-힣])"
)
_ROLES = {
    "이": "subjq", "가": "subjq", "께서": "subjq", "은": "topq", "는": "topq", "을": "objq",
    "를": "objq", "으로": "byq", "로": "byq", "와": "withq", "과": "withq", "에서": "inq",
    "에게": "toq", "한테": "toq", "에": "atq", "의": "ofq", "부터": "fromq", "까지": "untilq",
    "마다": "eachq", "보다": "thanq",
}  # fmt: skip
_CLOSED = {"이": True, "가": False, "은": True, "는": False, "을": True, "를": False, "과": True,
           "와": False, "으로": True}  # fmt: skip
_WHOLE = frozenset(
    "또는 혹은 또한 이는 우리가 무엇이 하지만 그런데 때문에 그래서 이번에 전에 후에 나중에 예전에 모두가 이 그 저 "
    "회의 강의 논의 협의 정의 주의 합의 동의 문의 결과 효과 성과 사과 과 "
    "나이 차이 사이 아이 놀이 종이 고양이 국가 평가 전문가 휴가 증가 추가 허가 참가 물가 작가 "
    "가로 세로 바로 서로 별로 새로 스스로 도로 경로 통로 회로 진로 가을 마을 노을 "
    "기와 시와".split()
)


def roles(word: str, before: str = "") -> tuple[str, str]:
    """Return (word, particle) of a word; the particle is empty where it has none.

    Examples
    --------
    >>> roles("책이"), roles("고양이"), roles("학교에서"), roles("전문가")
    (('책', 'subjq'), ('고양이', ''), ('학교', 'inq'), ('전문가', ''))
    """
    if word in _WHOLE:
        return word, ""
    if _describes(word) or word.endswith(("므로", "다가")):
        return word, ""  # a verb, whose ending looks like a particle
    for size in (2, 1):
        particle = word[-size:]
        stem = word[:-size]
        role = _ROLES.get(particle)
        if role is None or not (stem or before):
            continue
        last = (stem or before)[-1]
        closed = _CLOSED.get(particle)
        if closed is not None and is_hangul(last):
            final = final_of(last)
            has_final = final > 0
            if particle == "으로" and final == _L:
                continue
            if closed != has_final:
                continue
        if particle == "로" and is_hangul(last) and final_of(last) not in {0, _L}:
            continue
        return stem, role
    return word, ""


_NOUN_LAST = frozenset("자부수도표희호구교소조사터버스크트프료류모의회과계개무비어위처체추")
_VERB_LAST = frozenset(
    "하되오가보쓰주나두지리기치우내매대르려켜키시타차마바드이히해돼서세재빼깨떼메베여아파거노미느"
)
_CLOSED_VERB_LAST = frozenset(
    "맞찮앗같좁잡찾받먹읽얻믿앉있없않많높깊넓좋싣듣잊씻벗닫놓넣쌓낳닿늦젖"
)
_PRONOUNS = frozenset("나 너 저 우리 저희 그녀 너희 여기 거기 저기 이것 그것 누구 모두".split())


_ONE_DESCRIBES = frozenset(
    "작 좋 많 높 낮 깊 넓 좁 짧 굵 얇 젊 늙 같 밝 검 붉 맑 짙 싫 옳 굳 받 먹 읽 찾 남 찍 묶 닫 얻 믿 "
    "앉 잡 씻 웃 볶 섞 깎 낡 밟 삶 덮 뽑 접 씹 맞 않 익 썩 솟 넣 있 없 쌓 싣 듣 묻 벗 잊".split()
)


def _describes(word: str) -> bool:
    """Return True for a verb that describes the next word and is hardly anything else."""
    if word[-1] in "은을":
        return word[:-1] in _ONE_DESCRIBES or (
            len(word) > 2 and word[-2] in _CLOSED_VERB_LAST and word[-2] not in "잡좋"
        )
    return word[-1] == "는" and word[-2:-1] in {"하", "되"} and len(word) > 2


def may_describe(stem: str) -> bool:
    """Return True where -eun or -neun behind a stem may make a verb describe the next word."""
    if not stem or stem in _PRONOUNS:
        return not stem
    last = stem[-1]
    if final_of(last) > 0:
        return len(stem) == 1 or last in _CLOSED_VERB_LAST
    return len(stem) == 1 or (last in _VERB_LAST and last not in _NOUN_LAST)


_WITH_L = "".join(chr(code) for code in range(_FIRST + _L, _LAST + 1, _FINALS))
_AFTER_LATIN = re.compile(f"(?<=[a-z0-9%])(?=[{_HANGUL}])")
_TOKEN = re.compile(f"[{_HANGUL}]+")
_PHRASES = (
    (re.compile(f"([{_HANGUL}]+)고\\s?(?:있(?:습니다|어요|다|음)|계(?:십니다|세요|시다)){_ENDS}"), "\\1다"),
    (re.compile(f"([{_HANGUL}]*)지\\s?않(?:으면|고서는)\\s?(?:안\\s?(?:된다|됩니다|돼요|되다|됨)|곤란하다)"), "\\1 mustq"),
    (re.compile("없으면\\s?(?:안\\s?(?:된다|됩니다|돼요|되다|됨))"), "있 mustq"),
    (re.compile(f"([{_HANGUL}]+)지\\s?않을\\s?수\\s?(?:없다|없습니다|없어요|없음)"), "\\1 mustq"),
    (re.compile(f"(?<=에 )(?:산다|삽니다){_ENDS}"), "거주하다"),
    (re.compile(f"([{_HANGUL}]+)(?:시)?기\\s?(?:를\\s?)?(?:바랍니다|바란다|부탁드립니다){_ENDS}"), "\\1시오"),
    (re.compile(f"([{_HANGUL}]+?)(?:아|어|여)?\\s?주(?:세요|십시오|시기\\s?바랍니다|시오){_ENDS}"), "\\1 주시오"),
    (re.compile(f"(?<![{_HANGUL}])더\\s?이상"), "더이상"),
    (re.compile(f"([{_WITH_L}])\\s?수\\s?(?:가\\s)?(있|없)"), "\\1 수\\2"),
)  # fmt: skip
_MUST = re.compile(
    f"([{_HANGUL}]+)야\\s?(?:만\\s?)?(?:한다|합니다|해요|하다|함|된다|됩니다|돼요|되다|됨|했다|했습니다)"
)


def plain_endings(text: str) -> str:
    """Return a text whose verbs are stems and whose particles stand apart in one form.

    Examples
    --------
    >>> plain_endings("엽니다"), plain_endings("문을 엽니다")
    ('여', '문 objq 여')
    """
    for pattern, instead in _PHRASES:
        text = pattern.sub(instead, text)
    text = _MUST.sub(_must, text)
    text = _AFTER_LATIN.sub(" ", text)
    return _TOKEN.sub(lambda match: _canonical(match, text), text)


def _must(match: re.Match[str]) -> str:
    word = match[1]
    return f"{stem_of(word)} mustq" if word[-1] not in "이그" else match.group()


_CLAUSE_END = re.compile(_ENDS)


def _canonical(match: re.Match[str], text: str) -> str:
    word = match.group()
    start = match.start()
    before = ""
    if (
        start > 1
        and text[start - 1] == " "
        and text[start - 2] in "abcdefghijklmnopqrstuvwxyz0123456789%"
    ):
        before = text[start - 2]
        if word in _COPULA_ALONE:
            return ""
    ends = _CLAUSE_END.match(text, match.end()) is not None
    stem, role = roles(word, before)
    if role:
        return f"{stem} {role}".strip()
    return plain_word(word, ends=ends)


_COPULA_ALONE = frozenset("다 이다 입니다 이에요 예요 임 이야".split())


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
        turned = tuple(stem[:-1] + joined(*last[:2], final) for final in (_L, _N))
    loose = "으" if last[2] else ""
    endings = (loose + end if end in {"면", "며", "니", "려고"} else end for end in _ENDINGS)
    return (*turned, *(stem + end for end in endings))
