"""Words for a day that is another one each time they are read, by language."""

from __future__ import annotations

import re

_EN_UNIT = r"(?:minute|hour|day|night|week|weekend|month|quarter|year)"
_EN_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_EN_NUMBER = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|some|several|a couple of)"
)
_ENGLISH = (
    r"(?:the day before )?yesterday|(?:the day after )?tomorrow|tonight|(?:earlier |later )?today"
    rf"|(?<!the )(?<!each )(?<!every )(?:last|next|this (?:coming|past)) (?:{_EN_UNIT}|{_EN_DAY})"
    r"(?! of\b)(?! in\b)|this (?:week|month|quarter|year|morning|afternoon|evening)"
    rf"|{_EN_NUMBER} {_EN_UNIT}s? ago"
)
_GERMAN = (
    "vorgestern|gestern|heute|\u00fcbermorgen"
    "|(?:letzte|vergangene|vorige|n\u00e4chste|kommende|diese)[nrms]? "
    "(?:woche|monat|jahr|nacht|quartal|wochenende"
    "|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?"
    r"|vor (?:\d+|einem|einer|zwei|drei|vier|f\u00fcnf|ein paar|wenigen) "
    "(?:minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)"
)
_FRENCH = (
    "avant-hier|hier (?:soir|matin|apr\u00e8s-midi)|d['\u2019]hier|aujourd['\u2019]hui|demain"
    "|(?:la semaine|le mois|l['\u2019]ann\u00e9e|l['\u2019]an) "
    "(?:derni\u00e8re?|dernier|pass\u00e9e?|prochaine?)"
    r"|il y a (?:\d+|une?|deux|trois|quelques) (?:minutes?|heures?|jours?|semaines?|mois|ans?)"
)
_SPANISH = (
    "anteayer|ayer|(?<!la )(?<!una )(?<!esta )ma\u00f1ana por la|pasado ma\u00f1ana|hoy"
    "|(?:la semana|el mes|el a\u00f1o) (?:pasad[oa]|pr\u00f3xim[oa]|que viene)"
    r"|hace (?:\d+|un|una|dos|tres|unos|unas) (?:minutos?|horas?|d\u00edas?|semanas?"
    r"|mes(?:es)?|a\u00f1os?)"
)
_PORTUGUESE = (
    "anteontem|ontem|amanh\u00e3|hoje|(?:na |a )?semana passada|(?:no |o )?m\u00eas passado"
    r"|h\u00e1 (?:\d+|um|uma|dois|duas|tr\u00eas) (?:dias?|semanas?|m\u00eas|meses|anos?)"
)
_ITALIAN = (
    "l['\u2019]altro ieri|ieri|dopodomani|domani|oggi"
    "|(?:la settimana|il mese|l['\u2019]anno) (?:scors[oa]|prossim[oa])"
    r"|(?:\d+|due|tre|pochi) (?:giorni|settimane|mesi|anni) fa"
)
_RUSSIAN = (
    "\u043f\u043e\u0437\u0430\u0432\u0447\u0435\u0440\u0430"
    "|\u0432\u0447\u0435\u0440\u0430"
    "|\u043f\u043e\u0441\u043b\u0435\u0437\u0430\u0432\u0442\u0440\u0430"
    "|\u0437\u0430\u0432\u0442\u0440\u0430|\u0441\u0435\u0433\u043e\u0434\u043d\u044f"
    "|\u043d\u0430 "
    "\u043f\u0440\u043e\u0448\u043b\u043e\u0439 \u043d\u0435\u0434\u0435\u043b\u0435|\u0432 "
    "\u043f\u0440\u043e\u0448\u043b\u043e\u043c "
    "(?:\u043c\u0435\u0441\u044f\u0446\u0435|\u0433\u043e\u0434\u0443)|\\d+ "
    "(?:\u0434\u043d\u044f|\u0434\u043d\u0435\u0439"
    "|\u043d\u0435\u0434\u0435\u043b\u0438|\u043b\u0435\u0442) "
    "\u043d\u0430\u0437\u0430\u0434"
)
_CHINESE = (
    "\u6628\u5929|\u524d\u5929|\u660e\u5929|\u540e\u5929|\u5f8c\u5929|\u4eca\u5929"
    "|\u4e0a\u5468|\u4e0a\u9031|\u4e0b\u5468|\u4e0b\u9031|\u4e0a\u4e2a\u6708"
    "|\u4e0b\u4e2a\u6708|\u53bb\u5e74|\u660e\u5e74|\u4eca\u5e74"
    "|[0-9\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]+(?:\u5929"
    "|\u5468|\u4e2a\u6708|\u5e74)\u524d"
)
_JAPANESE = (
    "\u4e00\u6628\u65e5|\u304a\u3068\u3068\u3044|\u6628\u65e5|\u660e\u65e5"
    "|\u660e\u5f8c\u65e5|\u4eca\u65e5|\u5148\u9031|\u6765\u9031|\u5148\u6708|\u6765\u6708"
    "|\u6628\u5e74|\u6765\u5e74|[0-9\u4e00-\u5341]+(?:\u65e5|\u9031\u9593|\u304b\u6708"
    "|\u30f6\u6708|\u5e74)\u524d"
)
_KOREAN = (
    "\uadf8\uc800\uaed8|\uadf8\uc81c|\uc5b4\uc81c|\ub0b4\uc77c|\ubaa8\ub808"
    "|\uc624\ub298|\uc9c0\ub09c "
    "?\uc8fc|\ub2e4\uc74c ?\uc8fc|\uc9c0\ub09c ?\ub2ec|\ub2e4\uc74c "
    "?\ub2ec|\uc791\ub144|\ub0b4\ub144|[0-9]+ ?(?:\uc77c|\uc8fc|\uac1c\uc6d4|\ub144) ?\uc804"
)
_ARABIC = (
    "\u0623\u0645\u0633|\u063a\u062f\u064b\u0627|\u063a\u062f\u0627"
    "|\u0627\u0644\u0628\u0627\u0631\u062d\u0629|\u0627\u0644\u0623\u0633\u0628\u0648\u0639 "
    "\u0627\u0644\u0645\u0627\u0636\u064a|\u0627\u0644\u0634\u0647\u0631 "
    "\u0627\u0644\u0645\u0627\u0636\u064a|\u0627\u0644\u0639\u0627\u0645 "
    "\u0627\u0644\u0645\u0627\u0636\u064a"
)
# Of the words after each pattern one stands in whatever it matches, in lower case.
_LANGUAGES: tuple[tuple[str, str], ...] = (
    (_ENGLISH, "yesterday tomorrow tonight today ago last next this"),
    (_GERMAN, "gestern heute \u00fcbermorgen letzte vergangene vorige chste kommende diese vor"),
    (_FRENCH, "hier aujourd demain derni pass prochain il"),
    (_SPANISH, "ayer ma\u00f1ana hoy pasad xim viene hace"),
    (_PORTUGUESE, "ontem amanh\u00e3 hoje passad h\u00e1"),
    (_ITALIAN, "ieri domani oggi scors prossim fa"),
    (
        _RUSSIAN,
        ("\u0432\u0447\u0435\u0440\u0430 \u0437\u0430\u0432\u0442\u0440\u0430"
        " \u0441\u0435\u0433\u043e\u0434\u043d\u044f \u043f\u0440\u043e\u0448\u043b"
        " \u043d\u0430\u0437\u0430\u0434"),
    ),
    (
        _ARABIC,
        ("\u0623\u0645\u0633"
        " \u063a\u062f"
        " \u0627\u0644\u0628\u0627\u0631\u062d\u0629"
        " \u0627\u0644\u0645\u0627\u0636\u064a"),
    ),
)  # fmt: skip
_SPACED = tuple(
    (re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), tuple(words.split()))
    for pattern, words in _LANGUAGES
)
_UNSPACED = re.compile(f"{_CHINESE}|{_JAPANESE}|{_KOREAN}")
_FAR_EAST = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def find_relative(text: str) -> list[tuple[int, int]]:
    """Return the spans of relative dates in a text, in order; none overlaps another.

    Examples
    --------
    >>> find_relative("It broke 3 days ago, in the last week of May.")
    [(9, 19)]
    """
    lowered = text.lower()
    found = [
        match.span()
        for pattern, signs in _SPACED
        if any(sign in lowered for sign in signs)
        for match in pattern.finditer(text)
    ]
    if not text.isascii() and _FAR_EAST.search(text):
        found += [match.span() for match in _UNSPACED.finditer(text)]
    apart: list[tuple[int, int]] = []
    for span in sorted(found, key=lambda span: (span[0], -span[1])):
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
    return apart
