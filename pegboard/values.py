"""Typed values to and from JSON: each class defines fields, limits, descriptions in refusals, and its JSON schema.

A field's type is that of its JSON value. `Annotated[int, Takes(...)]` adds limits and a description; a plain text in
place of `Takes` is a description only. A field with a default can be left out. `X | None = None` is None if it was left
out, and null is then refused in a request; inside `Annotated`, or without a default, `| None` means that null is
accepted.
"""

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from math import inf
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
    overload,
)

# --- what a field accepts ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Takes:
    """What a field accepts in a request.

    Attributes:
        words: description of accepted values, for refusals and the OpenAPI document.
        least, most: bounds of a number, or of the length of a text or list.
        above: exclusive lower bound of a number.
        pattern: regular expression that a text must match fully.
        one_of: the accepted texts.
        test: further test of the value; may raise an error of its own.
        why: `Misfit.why` if `test` returns False.
        read, write: conversions between an accepted JSON value and the value in the program; null stays None.
        key: the field's name in JSON, if different.
        schema: further JSON schema keywords.
    """

    words: str = ""
    least: int | None = None
    most: int | None = None
    above: float | None = None
    pattern: str | None = None
    one_of: tuple[str, ...] = ()
    test: Callable[[Any], bool] | None = None
    why: str = "value"
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None
    key: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict, hash=False)


ANYTHING = Takes()

EXACT = 2**53
"""Largest whole number up to which a float represents every whole number exactly."""


class Misfit(ValueError):
    """A value does not fit its type.

    Attributes:
        field: the field's name in JSON; "" if the value itself is wrong.
        outer: the field of the outermost object that contains the wrong value.
        takes: description of accepted values.
        why: "value", "missing", "unknown", or `Takes.why`.
        value: the wrong value.
        known: the known fields, if the field is unknown.
    """

    def __init__(self, takes: str, value: Any = None, why: str = "value", known: tuple[str, ...] = ()) -> None:
        super().__init__(takes)
        self.field = self.outer = ""
        self.takes, self.value, self.why, self.known = takes, value, why, known

    def inside(self, key: str, words: str = "") -> "Misfit":
        """This error as seen from the object whose field `key` accepts `words`."""
        if not self.field:
            self.field, self.takes = key, words or self.takes
        self.outer = key
        return self


class Mode(Enum):
    """Source of the JSON: somebody's request, a message of another program, or this program's own storage."""

    REQUEST = "request"
    MESSAGE = "message"
    STORED = "stored"


REQUEST, MESSAGE, STORED = Mode

Reader: TypeAlias = Callable[[Any], Any]

Limit: TypeAlias = tuple[Callable[[Any], Any], str]

NO_DEFAULT: Any = object()


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a class.

    Attributes:
        key: the field's name in JSON.
        name: the name of the attribute.
        kind: the type.
        takes: the accepted values.
        required: whether the field must be present.
        default: the value if the field is left out, if that is a constant; otherwise `NO_DEFAULT`.
    """

    key: str
    name: str
    kind: Any
    takes: Takes
    required: bool
    default: Any = NO_DEFAULT


@cache
def fields_of(kind: Any) -> tuple[Field, ...]:
    """The fields of a dataclass or `TypedDict`, in order."""
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        return fields_from({n: hint if n in kind.__required_keys__ else NotRequired[hint] for n, hint in hints.items()})
    made = (one for one in fields(kind) if one.init)
    return tuple(_field_of_dataclass(one, hints[one.name]) for one in made)


def fields_from(hints: Mapping[str, Any]) -> tuple[Field, ...]:
    """Fields from types by name; `NotRequired` marks fields that can be left out."""
    return tuple(_field(name, hint) for name, hint in hints.items())


def _field_of_dataclass(one: "dataclasses.Field[Any]", hint: Any) -> Field:
    if one.default is MISSING and one.default_factory is MISSING:
        return _field(one.name, hint)
    if get_origin(hint) in (UnionType, Union):
        hint = _not_none(hint)
    default = NO_DEFAULT if one.default is MISSING else one.default
    return dataclasses.replace(_field(one.name, hint), required=False, default=default)


def _field(name: str, hint: Any) -> Field:
    required = get_origin(hint) is not NotRequired
    while get_origin(hint) is NotRequired:
        hint = get_args(hint)[0]
    takes = takes_of(hint)
    return Field(takes.key or name, name, hint, takes, required)


def takes_of(hint: Any) -> Takes:
    """The values that an annotated type accepts."""
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    found = next((note for note in notes if isinstance(note, Takes | str)), ANYTHING)
    return Takes(words=found) if isinstance(found, str) else found


def _not_none(union: Any) -> Any:
    """The `X` of `X | None`.

    Raises:
        TypeError: it is another union.
    """
    others = [one for one in get_args(union) if one is not NoneType]
    if len(others) != 1:
        raise _unreadable(union)
    return others[0]


def _unreadable(kind: Any) -> TypeError:
    return TypeError(f"{kind} cannot be read")


# --- reading ---

Value = TypeVar("Value")


@overload
def read(kind: type[Value], value: Any, mode: Mode = REQUEST) -> Value: ...
@overload
def read(kind: Any, value: Any, mode: Mode = REQUEST) -> Any: ...
def read(kind: Any, value: Any, mode: Mode = REQUEST) -> Any:
    """Convert a JSON value to a type.

    Limits are checked except in stored values; unknown fields are refused in a request, and ignored otherwise.

    Raises:
        Misfit: the value does not fit the type.
        TypeError: values of this type cannot be read.
    """
    return reader(kind, mode)(value)


@cache
def reader(kind: Any, mode: Mode = REQUEST) -> Reader:
    """The function that converts a JSON value to a type, as `read` does."""
    own = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return _nullable(own, mode, takes_of(kind))


def _nullable(kind: Any, mode: Mode, takes: Takes) -> Reader:
    if get_origin(kind) in (UnionType, Union):
        return _or_none(_nullable(_not_none(kind), mode, takes))
    limits = () if mode is STORED else tuple(_limits(kind, takes))
    if kind in TYPES and kind is not float:
        return _exact(kind, limits, takes)
    return _limit(_of_type(kind, mode, takes), limits, takes)


def _of_type(kind: Any, mode: Mode, takes: Takes) -> Reader:
    origin, of = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return reader(kind, mode)
    if is_dataclass(kind) or is_typeddict(kind):
        return object_reader(fields_of(kind), dict if is_typeddict(kind) else cast("Any", kind), mode)
    if origin is tuple:
        return _row(of, mode, takes) if Ellipsis not in of else _list(reader(of[0], mode), takes, tuple)
    if origin is list:
        return _list(reader(of[0], mode), takes, list)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(of, mode, takes)
    return _of_plain_type(kind, of if origin is Literal else (), takes)


def _of_plain_type(kind: Any, words: tuple[str, ...], takes: Takes) -> Reader:
    if words:
        return _word({word: word for word in words}, takes)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _word({one.value: one for one in kind}, takes)
    if kind is float:
        return _number(takes)
    if kind is not Any:
        raise _unreadable(kind)
    return lambda value: value


def _limits(kind: Any, takes: Takes) -> Iterator[Limit]:
    """The limits that are set, each as a test with the `Misfit.why` of a value that fails."""
    if takes.least is not None or takes.most is not None:
        least, most = (-inf if takes.least is None else takes.least), (inf if takes.most is None else takes.most)
        of_number, of_size = (lambda value: least <= value <= most), (lambda value: least <= len(value) <= most)
        yield of_number if kind in (int, float) else of_size, "value"
    if (above := takes.above) is not None:
        yield (lambda value: above < value), "value"
    if takes.pattern is not None:
        yield re.compile(takes.pattern, re.ASCII).fullmatch, "value"
    if takes.one_of:
        yield takes.one_of.__contains__, "value"
    if takes.test is not None:
        yield takes.test, takes.why


def _limit(inner: Reader, limits: tuple[Limit, ...], takes: Takes) -> Reader:
    convert = takes.read

    def check_and_convert(value: Any) -> Any:
        value = inner(value)
        for is_within, why in limits:
            if not is_within(value):
                raise Misfit(takes.words, value, why)
        return value if convert is None else convert(value)

    return check_and_convert if limits or convert is not None else inner


def _exact(kind: type, limits: tuple[Limit, ...], takes: Takes) -> Reader:
    """The reader of a text, whole number or boolean; includes `_limit` for speed: most fields are of these types."""
    convert = takes.read

    def exact(value: Any) -> Any:
        if type(value) is not kind:
            raise Misfit(takes.words or kind.__name__, value)
        for is_within, why in limits:
            if not is_within(value):
                raise Misfit(takes.words, value, why)
        return value if convert is None else convert(value)

    return exact


def _number(takes: Takes) -> Reader:
    def number(value: Any) -> float:
        if type(value) is float or (type(value) is int and abs(value) <= EXACT):
            return float(value)
        raise Misfit(takes.words or "float", value)

    return number


def _or_none(inner: Reader) -> Reader:
    return lambda value: None if value is None else inner(value)


def _word(words: Mapping[Any, Any], takes: Takes) -> Reader:
    def word(value: Any) -> Any:
        if type(value) is not str or value not in words:
            raise Misfit(takes.words or f"one of {', '.join(words)}", value)
        return words[value]

    return word


def _list(read_one: Reader, takes: Takes, make: Callable[[list[Any]], Any]) -> Reader:
    def several(value: Any) -> Any:
        if type(value) is not list:
            raise Misfit(takes.words or "a list", value)
        try:
            return make([read_one(one) for one in value])
        except Misfit as error:
            raise Misfit(takes.words or error.takes, value) from None

    return several


def _row(of: tuple[Any, ...], mode: Mode, takes: Takes) -> Reader:
    """The reader of a list with a fixed number of values, such as `tuple[X, Y]`."""
    readers = tuple(reader(one, mode) for one in of)

    def row(value: Any) -> Any:
        if type(value) is not list or len(value) != len(readers):
            raise Misfit(takes.words or "a list", value)
        try:
            return tuple([read_one(one) for read_one, one in zip(readers, value, strict=True)])
        except Misfit as error:
            raise Misfit(takes.words or error.takes, value) from None

    return row


def _mapping(of: tuple[Any, ...], mode: Mode, takes: Takes) -> Reader:
    is_plain = of == (str, Any)
    read_name, read_one = reader(of[0], mode), reader(of[1], mode)

    def mapping(value: Any) -> Any:
        if type(value) is not dict:
            raise Misfit(takes.words or "an object", value)
        return value if is_plain else {read_name(name): read_one(one) for name, one in value.items()}

    return mapping


def object_reader(known: tuple[Field, ...], make: Callable[..., Any], mode: Mode = REQUEST) -> Reader:
    """The function that converts a JSON object with these fields; `make` gets the values by name.

    Raises (when called):
        Misfit: a field is unknown, missing or wrong.
    """
    keys = tuple(one.key for one in known)
    rows = tuple((one, one.name, one.key, _reader_of_field(one, mode)) for one in known)

    def build(values: Any) -> Any:
        if type(values) is not dict:
            raise Misfit("an object", values)
        if mode is REQUEST and (unknown := next((key for key in values if key not in keys), None)) is not None:
            raise Misfit("", why="unknown", known=keys).inside(str(unknown))
        found = {}
        for one, name, key, read_field in rows:
            if key in values:
                try:
                    found[name] = read_field(values[key])
                except Misfit as error:
                    raise error.inside(key, one.takes.words) from None
            elif one.required:
                raise Misfit(one.takes.words, why="missing").inside(key)
        return found if make is dict else make(**found)

    return build


def _reader_of_field(one: Field, mode: Mode) -> Reader:
    inner: Reader = reader(one.kind, mode)
    return inner if mode is REQUEST or one.default is not None else _or_none(inner)


# --- writing ---


def write(value: Any) -> Any:
    """Convert a value to JSON-ready values; `read` with `STORED` reads them back."""
    kind: Any = type(value)
    return _writer(kind)(value)


def write_field(one: Field, value: Any) -> Any:
    """Convert the value of a field to JSON-ready values."""
    convert = one.takes.write
    return write(value) if convert is None or value is None else convert(value)


@cache
def _writer(kind: type) -> Callable[[Any], Any]:
    if is_dataclass(kind):
        known = fields_of(cast("Any", kind))
        return lambda value: {one.key: write_field(one, getattr(value, one.name)) for one in known}
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Mapping):
        return lambda value: {str(name): write(one) for name, one in value.items()}
    if issubclass(kind, tuple | list | set | frozenset):
        return lambda value: [write(one) for one in value]
    return lambda value: value


# --- JSON schema ---

Components: TypeAlias = dict[str, dict[str, Any]]
"""Named JSON schemas, under `#/components/schemas/` of an OpenAPI document."""

Kind = TypeVar("Kind", bound=type)

TYPES = {str: "string", int: "integer", bool: "boolean", float: "number"}


def schema(kind: Any, components: Components) -> dict[str, Any]:
    """The JSON schema of a type; classes in it are added to `components`, and referenced."""
    takes = takes_of(kind)
    own = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    described = {"description": takes.words} if takes.words else {}
    return _schema_of_type(own, takes, components) | described | dict(takes.schema)


def _schema_of_type(kind: Any, takes: Takes, components: Components) -> dict[str, Any]:
    origin, of = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return schema(kind, components)
    if is_dataclass(kind) or is_typeddict(kind):
        return {"$ref": f"#/components/schemas/{_add_component(kind, components)}"}
    if origin in (UnionType, Union):
        return _or_null(_schema_of_type(_not_none(kind), takes, components))
    if origin in (tuple, list):
        is_row = origin is tuple and Ellipsis not in of
        return {"type": "array"} | _schema_of_items(of, takes, components, is_row=is_row)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        names = {"propertyNames": schema(of[0], components)} if get_origin(of[0]) is Annotated else {}
        return {"type": "object", "additionalProperties": schema(of[1], components)} | names
    return _schema_of_plain_type(kind, of if origin is Literal else (), takes)


def _schema_of_items(of: tuple[Any, ...], takes: Takes, components: Components, *, is_row: bool) -> dict[str, Any]:
    """The JSON schema of a list's values; a row is a list with as many as the type has, such as `tuple[X, Y]`."""
    if is_row:
        return {"prefixItems": [schema(one, components) for one in of], "items": False, "minItems": len(of)}
    return {"items": schema(of[0], components)} | _bounds(takes, "minItems", "maxItems")


def _schema_of_plain_type(kind: Any, words: tuple[str, ...], takes: Takes) -> dict[str, Any]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        words = tuple(str(one.value) for one in kind)
    if words:
        return {"type": "string", "enum": list(words)}
    if kind is str:
        return {"type": "string"} | _text_limits(takes)
    if kind in TYPES:
        return {"type": TYPES[kind]} | _bounds(takes, "minimum", "maximum")
    if kind is not Any:
        raise _unreadable(kind)
    return {}


def _or_null(inner: dict[str, Any]) -> dict[str, Any]:
    if "type" not in inner:
        return {"anyOf": [inner, {"type": "null"}]}
    words = {"enum": [*inner["enum"], None]} if "enum" in inner else {}
    return inner | {"type": [inner["type"], "null"]} | words


def _text_limits(takes: Takes) -> dict[str, Any]:
    pattern = {} if takes.pattern is None else {"pattern": f"^{takes.pattern}$"}
    words = {"enum": list(takes.one_of)} if takes.one_of else {}
    return _bounds(takes, "minLength", "maxLength") | pattern | words


def _bounds(takes: Takes, least: str, most: str) -> dict[str, Any]:
    rows = ((least, takes.least), (most, takes.most), ("exclusiveMinimum", takes.above))
    return {name: bound for name, bound in rows if bound is not None}


def _add_component(kind: Any, components: Components) -> str:
    name = component_name(kind)
    if name not in components:
        components[name] = object_schema(fields_of(kind), components, strict=is_strict(kind))
    return name


def is_strict(kind: Any) -> bool:
    """Whether objects of a class can have no other fields: requests (dataclasses), and classes marked by `strict`."""
    return is_dataclass(kind) or getattr(kind, "__closed__", False)


def strict(kind: Kind) -> Kind:
    """Class decorator: objects of this `TypedDict` have no other fields."""
    setattr(kind, "__closed__", True)  # noqa: B010 - mypy knows no such attribute
    return kind


def component_name(kind: Any) -> str:
    """The name of a class in the OpenAPI document: without `Json` or `Request` at its end."""
    name: str = kind.__name__
    return name.removesuffix("Json").removesuffix("Request")


def object_schema(known: tuple[Field, ...], components: Components, *, strict: bool) -> dict[str, Any]:
    """The JSON schema of an object with these fields, and no others if `strict`."""
    required = sorted(one.key for one in known if one.required)
    return (
        {"type": "object", "properties": {one.key: _schema_of_field(one, components) for one in known}}
        | ({"required": required} if required else {})
        | ({"additionalProperties": False} if strict else {})
    )


def _schema_of_field(one: Field, components: Components) -> dict[str, Any]:
    default = {} if one.default is NO_DEFAULT else {"default": write_field(one, one.default)}
    return schema(one.kind, components) | default
