"""The generated JSON Schema, and the check that it is fresh."""

import json

from remem_protocol.schema import main, schemas


def test_schemas_are_the_same_bytes_at_each_call():
    assert schemas() == schemas()
    assert set(schemas()) == {"session.json", "event.json", "record.json"}


def test_check_tells_fresh_from_stale_missing_and_left_over(tmp_path, capsys):
    assert main([str(tmp_path)]) == 0
    assert main(["--check", str(tmp_path)]) == 0
    (tmp_path / "event.json").write_text("{}")
    (tmp_path / "session.json").unlink()
    (tmp_path / "dream.json").write_text("{}")
    assert main(["--check", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert [name in told for name in ("event", "session", "dream", "record")] == [True] * 3 + [
        False
    ]


def test_schema_names_every_kind():
    mapping = json.loads(schemas()["event.json"])["discriminator"]["mapping"]
    assert set(mapping) == {
        "correction", "error", "environment", "surprise", "note", "session", "handback",
    }  # fmt: skip
