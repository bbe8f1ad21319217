"""TOML and JSON as users write them: read whole, or refused with the place.

Python's readers keep the last of two equal keys in JSON, and neither guards against numbers too long
to convert or keys nested too deeply to hold; here each is an error.
"""

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any, NoReturn

from lexbelli.errors import InputError, LexBelliError, Place

_TOML_PLACE = re.compile(r" \(at line ([0-9]+), column ([0-9]+)\)")
_NUMBER = re.compile(r"[0-9][0-9_]*")
# a key of so many parts that tomllib would need memory with their square
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){64}""")
_LONGEST = 60


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return what a TOML text holds. Raises InputError with the place when it is none."""
    deep = _DEEP_KEY.search(text)
    if deep:
        raise InputError("the key is nested too deeply", place=_place(text, deep.start(), file))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_PLACE.search(str(error))
        place = Place(file, int(found[1]), int(found[2])) if found else Place(file)
        raise InputError(f"this is not TOML: {_TOML_PLACE.sub('', str(error))}", place=place) from None
    except RecursionError:
        raise InputError("the file is nested too deeply", place=Place(file)) from None
    except ValueError:
        raise _too_long(text, file) from None


def parse_json(text: str, file: str) -> Any:
    """Return what a JSON text holds.

    Raises InputError with the place when it is none, and for a key that one table has twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = Place(file, error.lineno, error.colno)
        raise InputError(f"this is not JSON: {error.msg}", place=place) from None
    except LexBelliError as error:
        error.place = Place(file)
        raise
    except RecursionError:
        raise InputError("the file is nested too deeply", place=Place(file)) from None
    except ValueError:
        raise _too_long(text, file) from None


def shown(value: object) -> str:
    """Write a value of a file for an error, in short."""
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**_LONGEST:
        return "so large a number"
    written = repr(value) if isinstance(value, str) else str(value)
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 3]}..."


def _distinct(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise InputError(f"the key {shown(key)} is there twice")
        table[key] = value
    return table


def _refuse_constant(constant: str) -> NoReturn:
    raise InputError(f"this is not JSON: {constant} is no number")


def _too_long(text: str, file: str) -> InputError:
    """Return the error for a number that has more digits than Python converts."""
    longest = max(_NUMBER.finditer(text), key=lambda match: len(match.group()))
    digits = len(longest.group().replace("_", ""))
    place = _place(text, longest.start(), file)
    return InputError(f"a number of {digits} digits is out of range", place=place)


def _place(text: str, offset: int, file: str) -> Place:
    line = text.count("\n", 0, offset) + 1
    return Place(file, line, offset - text.rfind("\n", 0, offset))
