"""Which requirements of the specification no vector tests, and whether somebody says why.

A requirement is a paragraph of `spec/v1/*.md` that begins with its id in bold. When it says MUST
or SHOULD it needs a vector that cites it, or a row in `untested.toml` with the reason. Documents
in the state "draft" are listed and not required.
"""

import pathlib
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from remem_conformance.cases import Case, VectorError

_PARAGRAPH = re.compile(
    r"^(?:[-*] )?\*\*([A-Z]{3}-\d{3})\*\*\s(.*?)(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL
)
_STATE = re.compile(r"^\|\s*[A-Z]{3}\s*\|[^|]*\|\s*(\w+)\s*\|", re.MULTILINE)
_BINDING = re.compile(r"\b(MUST|SHOULD)\b")


@dataclass(frozen=True)
class Document:
    """One document's binding requirements, in the order of the text."""

    name: str
    draft: bool
    binding: Sequence[str]
    others: Sequence[str]


@dataclass(frozen=True)
class Coverage:
    """What is tested, excused, open (per document), and which citations lead nowhere."""

    documents: Sequence[Document]
    tested: frozenset[str]
    excused: dict[str, str]

    def open(self, document: Document) -> list[str]:
        """Return the binding requirements with neither a vector nor a reason."""
        return [r for r in document.binding if r not in self.tested and r not in self.excused]

    def wrong(self) -> list[str]:
        """Return what contradicts itself: unknown ids, and excuses for what is tested."""
        known = {r for d in self.documents for r in (*d.binding, *d.others)}
        out = [f"{r}: cited by a vector, in no document" for r in sorted(self.tested - known)]
        out += [f"{r}: excused, in no document" for r in sorted(self.excused.keys() - known)]
        both = sorted(self.tested & self.excused.keys())
        return out + [f"{r}: excused, and yet cited by a vector" for r in both]

    def exit_code(self) -> int:
        """Return 1 when a document that is no draft has an open requirement, or for `wrong`."""
        return int(bool(self.wrong()) or any(self.open(d) for d in self.documents if not d.draft))

    def text(self) -> str:
        """Return one line a document, then the open requirements and the contradictions."""
        out = []
        for document in self.documents:
            tested = sum(r in self.tested for r in document.binding)
            excused = sum(r in self.excused for r in document.binding)
            out.append(
                f"{document.name:<12} {'draft' if document.draft else 'required':<9}"
                f"{len(document.binding):>3} binding, {tested} tested, {excused} excused, "
                f"{len(self.open(document))} open"
            )
        out += [
            f"open: {requirement}"
            for document in self.documents
            if not document.draft
            for requirement in self.open(document)
        ]
        return "\n".join(out + self.wrong())


def find_spec() -> pathlib.Path:
    """Return `spec/v1` of the working copy that this is run in or installed from."""
    for start in (pathlib.Path.cwd(), pathlib.Path(__file__).resolve()):
        for folder in (start, *start.parents):
            if (folder / "spec" / "v1").is_dir():
                return folder / "spec" / "v1"
    raise VectorError("no folder spec/v1 here: name it with --spec")


def check(spec: pathlib.Path, cases: Iterable[Case]) -> Coverage:
    """Compare the documents of a folder with what the cases cite and `untested.toml` excuses."""
    documents = [read_document(path) for path in sorted(spec.glob("*.md"))]
    tested = frozenset(requirement for case in cases for requirement in case.req)
    return Coverage([d for d in documents if d.binding], tested, read_excuses(spec))


def read_document(path: pathlib.Path) -> Document:
    """Find the requirements of one document; raise VectorError for an id that stands twice."""
    text = path.read_text("utf-8")
    state = _STATE.search(text)
    found = _PARAGRAPH.findall(text)
    ids = [requirement for requirement, _ in found]
    if len(set(ids)) != len(ids):
        raise VectorError(f"{path.name}: an id stands twice")
    binding = [requirement for requirement, words in found if _BINDING.search(words)]
    draft = state is not None and state[1] == "draft"
    return Document(path.name, draft, binding, [r for r in ids if r not in binding])


def read_excuses(spec: pathlib.Path) -> dict[str, str]:
    """Read `untested.toml`: requirement id → why no vector."""
    path = spec / "untested.toml"
    if not path.exists():
        return {}
    try:
        rows = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise VectorError(f"{path.name}: {error}") from None
    if bad := [key for key, why in rows.items() if not isinstance(why, str) or not why.strip()]:
        raise VectorError(f"{path.name}: no reason for {', '.join(bad)}")
    return rows
