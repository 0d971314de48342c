"""Reads the code of a game's rules and lists every violation and event that it can make.

A *sink* is a function that makes one: `Violation` and `Event` themselves, and every function that
passes its own parameters on as their rule id, code or values (`refuse`, for example).  Sinks are found
by going round until no new ones appear.  What stands at a call of a sink is then resolved: constants,
conditional expressions, local variables, tables of constants.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

Sort = Literal["reason", "event"]
Strings = frozenset[str]


@dataclass(frozen=True)
class Use:
    """One place in the code that makes a violation or an event.  `codes`, `rule_ids` and `names` (of
    the values) hold all possibilities; None stands for what could not be read from the code."""

    sort: Sort
    codes: Strings | None
    rule_ids: Strings | None
    names: Strings | None
    where: str
    module: str


@dataclass(frozen=True)
class Parameter:
    """Whatever the caller gives for this parameter; `extra` are names that the function adds to values."""

    name: str
    extra: Strings = frozenset()


Known = Strings | Parameter | None


@dataclass(frozen=True)
class Sink:
    """How a call of a function makes a violation or an event."""

    sort: Sort
    parameters: tuple[str, ...]  # that can be given by position
    code: Known
    rule_id: Known
    names: Known  # a Parameter that is `**` takes all keywords that are no other parameter
    keywords: str  # the name of the `**` parameter, if any


_ROOTS: Final = {
    "Violation": Sink(
        "reason",
        ("rule_id", "reason", "values", "path", "at"),
        Parameter("reason"),
        Parameter("rule_id"),
        Parameter("values"),
        "",
    ),
    "Event": Sink(
        "event",
        ("kind", "rule_id", "values", "changes"),
        Parameter("kind"),
        Parameter("rule_id"),
        Parameter("values"),
        "",
    ),
}
Function = ast.FunctionDef


class Scanner:
    """The modules of one folder of rules, read together."""

    def __init__(self, folder: Path) -> None:
        self.modules = {
            file.stem: ast.parse(file.read_text("utf-8"), str(file)) for file in sorted(folder.rglob("*.py"))
        }
        self.constants: dict[str, ast.expr] = {}
        self.functions: dict[str, Function] = {}
        for module, tree in self.modules.items():
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    self.functions[_key(module, node.name)] = node
                for name, value in _assigned(node):
                    self.constants[_key(module, name)] = value
        self.sinks: dict[str, Sink] = dict(_ROOTS)

    def uses(self) -> list[Use]:
        while True:
            known = len(self.sinks)
            found = [use for module, tree in self.modules.items() for use in self._module(module, tree)]
            if len(self.sinks) == known:
                return found

    def _module(self, module: str, tree: ast.Module) -> Iterator[Use]:
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.FunctionDef):
                    made = (
                        node.name
                        if isinstance(node, ast.ClassDef) and child.name == "__init__"
                        else child.name
                    )
                    for call in _calls(child):
                        yield from self._call(module, made, child, call)

    def _call(self, module: str, name: str, function: Function, call: ast.Call) -> Iterator[Use]:
        """`name` is what is called to run the function: its own, or its class's."""
        called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        sink = self.sinks.get(_key(module, called))
        if sink is None:
            return
        scope = _Scope(self, module, function, call)
        if scope.passes_on(sink):
            return
        code = scope.strings(sink, sink.code)
        rule_id = scope.strings(sink, sink.rule_id)
        names = scope.names(sink)
        if isinstance(code, Parameter) or isinstance(rule_id, Parameter) or isinstance(names, Parameter):
            arguments = function.args
            self.sinks[_key(module, name)] = Sink(
                sink.sort,
                tuple(argument.arg for argument in arguments.args if argument.arg != "self"),
                code,
                rule_id,
                names,
                arguments.kwarg.arg if arguments.kwarg else "",
            )
        else:
            where = f"{module}.py:{call.lineno}"
            yield Use(sink.sort, code, rule_id, names, where, module)


class _Scope:
    """What expressions can be at one call inside a function."""

    def __init__(self, scanner: Scanner, module: str, function: Function, call: ast.Call) -> None:
        self.scanner, self.module, self.function, self.call = scanner, module, function, call
        arguments = function.args
        self.parameters = {argument.arg for argument in (*arguments.args, *arguments.kwonlyargs)}
        if arguments.kwarg:
            self.parameters.add(arguments.kwarg.arg)

    def given(self, sink: Sink, name: str) -> ast.expr | None:
        """The argument of the call for a parameter of the sink."""
        for keyword in self.call.keywords:
            if keyword.arg == name:
                return keyword.value
        index = sink.parameters.index(name) if name in sink.parameters else len(self.call.args)
        return self.call.args[index] if index < len(self.call.args) else None

    def passes_on(self, sink: Sink) -> bool:
        """Whether the call only repeats a violation that was made elsewhere: its code is `other.reason`."""
        code = self.given(sink, sink.code.name) if isinstance(sink.code, Parameter) else None
        return isinstance(code, ast.Attribute) and code.attr == "reason"

    def strings(self, sink: Sink, known: Known) -> Known:
        if not isinstance(known, Parameter):
            return known
        argument = self.given(sink, known.name)
        return None if argument is None else self.resolve(argument)

    def resolve(self, node: ast.expr) -> Known:
        """All texts that an expression can be."""
        match node:
            case ast.Constant(value=str(text)):
                return frozenset({text})
            case ast.IfExp(body=body, orelse=orelse):
                return _union([self.resolve(body), self.resolve(orelse)])
            case ast.BoolOp(values=values):
                return _union([self.resolve(value) for value in values])
            case ast.Name(id=name):
                values = [value for value, _ in self.assignments(name)]
                if values:
                    return _union([self.resolve(value) for value in values])
                if name in self.parameters:
                    return Parameter(name)
                return self.constant(name)
            case ast.Subscript(value=table):
                return self.table(table)
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, *default]):
                return _union([self.table(table), *(self.resolve(value) for value in default)])
            case ast.Attribute(attr=name):
                return self.constant(name)
        return None

    def table(self, node: ast.expr) -> Known:
        """The values of a table of constants."""
        if isinstance(node, ast.Name) and (local := self.assignments(node.id)):
            return _union([self.table(value) for value, _ in local])
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        table = node if isinstance(node, ast.Dict) else self.scanner.constants.get(_key(self.module, name))
        return (
            _union([self.resolve(value) for value in table.values]) if isinstance(table, ast.Dict) else None
        )

    def constant(self, name: str) -> Known:
        value = self.scanner.constants.get(_key(self.module, name))
        return self.resolve(value) if isinstance(value, ast.Constant) else None

    def assignments(self, name: str) -> list[tuple[ast.expr, int]]:
        """What the function assigns to a variable, with the lines."""
        return [
            (value, node.lineno)
            for node in ast.walk(self.function)
            if isinstance(node, ast.stmt)
            for target, value in _assigned(node)
            if target == name
        ]

    def names(self, sink: Sink) -> Known:
        """The names of the values that this call gives."""
        if not isinstance(sink.names, Parameter):
            return sink.names
        extra = sink.names.extra
        if sink.names.name != sink.keywords:
            argument = self.given(sink, sink.names.name)
            return extra if argument is None else _with(self.keys(argument), extra)
        found: list[Known] = [extra]
        for keyword in self.call.keywords:
            if keyword.arg is None:
                found.append(self.keys(keyword.value))
            elif keyword.arg not in sink.parameters:
                found.append(frozenset({keyword.arg}))
        return _union(found)

    def keys(self, node: ast.expr) -> Known:
        """The keys of a dict: those of its last assignment before the call and of later additions."""
        match node:
            case ast.Dict(keys=keys, values=values):
                found: list[Known] = []
                for key, value in zip(keys, values, strict=True):
                    found.append(self.keys(value) if key is None else self.resolve(key))
                return _union(found)
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                return frozenset(keyword.arg for keyword in keywords if keyword.arg)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                function = self.scanner.functions.get(_key(self.module, name))
                returns = (
                    [n.value for n in ast.walk(function) if isinstance(n, ast.Return)] if function else []
                )
                if function is None or not returns or None in returns:
                    return None
                inner = _Scope(self.scanner, self.module, function, self.call)
                return _union([inner.keys(value) for value in returns if value is not None])
            case ast.Name(id=name):
                before = [item for item in self.assignments(name) if item[1] <= self.call.lineno]
                if not before:
                    return Parameter(name) if name in self.parameters else None
                latest = max(line for _, line in before)
                return _union(
                    [self.keys(value) for value, line in before if line == latest]
                    + [self.resolve(key) for key in self.added(name, latest)]
                )
        return None

    def added(self, name: str, after: int) -> Iterator[ast.expr]:
        """Keys set one by one: `values["size"] = ...` between a line and the call."""
        for node in ast.walk(self.function):
            if isinstance(node, ast.Assign) and after < node.lineno <= self.call.lineno:
                for target in node.targets:
                    if isinstance(target, ast.Subscript) and getattr(target.value, "id", "") == name:
                        yield target.slice


def _key(module: str, name: str) -> str:
    """Private names belong to their module, public ones to all."""
    return f"{module}.{name}" if name.startswith("_") else name


def _calls(function: Function) -> Iterator[ast.Call]:
    """The calls in a function, not those in functions inside it."""
    ahead: list[ast.AST] = list(function.body)
    while ahead:
        node = ahead.pop(0)
        if isinstance(node, ast.Call):
            yield node
        ahead += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.FunctionDef)]


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names and the expressions assigned to them by a statement; tuples are taken apart."""
    match node:
        case ast.Assign(targets=[target], value=value):
            yield from _pairs(target, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for inner_target, inner_value in zip(targets, values, strict=True):
                yield from _pairs(inner_target, inner_value)
        case ast.Tuple(), ast.IfExp(body=body, orelse=orelse):
            yield from _pairs(target, body)
            yield from _pairs(target, orelse)


def _with(known: Known, extra: Strings) -> Known:
    if isinstance(known, Parameter):
        return Parameter(known.name, known.extra | extra)
    return None if known is None else known | extra


def _union(parts: list[Known]) -> Known:
    """All possibilities together: unknown if a part is, a parameter (and more) if one part is that."""
    texts: Strings = frozenset()
    parameter: Parameter | None = None
    for part in parts:
        if part is None:
            return None
        if isinstance(part, Parameter):
            parameter = part
        else:
            texts |= part
    return texts if parameter is None else Parameter(parameter.name, parameter.extra | texts)


def scan(folder: Path) -> list[Use]:
    """Every use in the modules of a folder."""
    return Scanner(folder).uses()


def by_code(uses: list[Use], sort: Sort) -> Mapping[str, list[Use]]:
    """The uses of each code."""
    found: dict[str, list[Use]] = {}
    for use in uses:
        for code in use.codes or () if use.sort == sort else ():
            found.setdefault(code, []).append(use)
    return found
