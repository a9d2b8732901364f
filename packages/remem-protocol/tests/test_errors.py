"""The closed list of errors, and the tree that is drawn of it (OVR-040)."""

import re

from remem_protocol import ERROR_CODES, RememError, errors

NODE = re.compile(
    r"^(?P<indent>[│├└─ ]*)(?P<name>\w+Error)\s*(?P<code>[a-z-]+|\(never|$)", re.MULTILINE
)


def drawn() -> dict[str, tuple[str, str | None]]:
    """Return class → (base, code or None) as the docstring draws them."""
    out: dict[str, tuple[str, str | None]] = {}
    path: list[str] = []
    for node in NODE.finditer(errors.__doc__ or ""):
        depth = len(node["indent"]) // 4
        path[depth:] = [node["name"]]
        code = node["code"] if re.fullmatch("[a-z-]+", node["code"]) else None
        out[node["name"]] = (path[depth - 1] if depth else "Exception", code)
    return out


def classes() -> dict[str, type[RememError]]:
    found = (c for c in vars(errors).values() if isinstance(c, type))
    return {c.__name__: c for c in found if issubclass(c, RememError)}


def test_tree_in_the_docstring_is_the_tree_of_the_classes():
    bases = {name: base for name, (base, _) in drawn().items()}
    assert bases == {name: c.__bases__[0].__name__ for name, c in classes().items()}


def test_codes_in_the_docstring_are_those_of_the_classes():
    codes = {name: code for name, (_, code) in drawn().items() if code}
    assert codes == {
        n: c.code for n, c in classes().items() if "code" in vars(c) and n != "RememError"
    }


def test_every_code_has_exactly_one_class():
    own = [c.code for c in classes().values() if "code" in vars(c) and c is not RememError]
    assert sorted(own) == sorted(ERROR_CODES)


def test_an_error_says_its_code_and_place():
    error = errors.InvalidSessionError("ends before it starts", at="/ended")
    assert str(error) == "invalid-session: ends before it starts (at /ended)"
    assert str(errors.NotFoundError("nothing")) == "not-found: nothing"
