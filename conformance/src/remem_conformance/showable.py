"""Which of the lessons that a request holds may be shown to an agent at all (FIL-009)."""

from typing import Any

from remem_conformance.cases import Input, Place

Value = dict[str, Any]


def may_be_shown(given: Input, where: Place | str | Any) -> list[Value]:
    """Return the lessons that may be shown at a place, or in a project's session.

    Of another project, candidates, vetoed, archived and those that no longer hold are none.
    """
    project = where.project if isinstance(where, Place) else where
    records = given.records or ()
    vetoes = [r for r in records if r["type"] == "veto" and "lifted" not in r]
    hashes = {veto["hash"] for veto in vetoes}
    sources = {id_ for veto in vetoes for id_ in veto.get("sources", ())}
    return [
        record
        for record in records
        if record["type"] == "lesson"
        and record.get("project") in (None, project)
        and record.get("trust", "own") != "candidate"
        and "archived" not in record
        and "superseded_by" not in record
        and not ("valid_until" in record and record["valid_until"] <= str(given.now))
        and record["hash"] not in hashes
        and not sources.intersection(record["sources"])
    ]
