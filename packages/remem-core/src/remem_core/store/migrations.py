"""The schema, as the steps that led to it; each runs once, inside the caller's transaction.

`vectors` and `words` are caches: deleting them loses nothing. `words` also holds, of each
episode, the words of the one before it in its session (a question often stands there, and its
answer here); its triggers keep that true when something comes between, goes or changes.
`episodes.twin` is the id without the session, so that a resumed or forked copy of a transcript
folds onto what is there (MEM-003). `sleep_run` is a night that is not over, at most one, and
`sleep_journal` what it had decided and not done yet.
"""

import sqlite3

from sqlite_utils import Database, Migrations

steps = Migrations("remem")


def migrate(db: sqlite3.Connection) -> None:
    """Apply the steps that this file has not had yet, in their order."""
    steps.apply(Database(db, execute_plugins=False))


@steps()
def m001_first_schema(db: Database) -> None:
    """Episodes with their keyword index and vectors, sessions, files, and what sleep will fill."""
    for statement in FIRST_SCHEMA.split(";\n\n"):
        db.execute(statement)


FIRST_SCHEMA = """
create table episodes (
    n integer primary key,
    id text not null unique,
    twin text not null unique,
    kind text not null,
    session text,
    agent text,
    project text,
    source text not null,
    at text not null,
    layer text,
    trigger_words text,
    valid_from text,
    valid_until text,
    supersedes text,
    superseded_by text,
    ref text,
    title text not null,
    body text not null,
    dated text not null,
    event text not null,
    detector integer,
    created text not null,
    strength real not null default 1,
    recalls integer not null default 0,
    touched text,
    archived text
) strict;

create index episodes_by_session on episodes (session, at);

create index episodes_by_project on episodes (project, at);

create index episodes_by_time on episodes (at);

create index episodes_by_supersedes on episodes (supersedes) where supersedes is not null;

create index episodes_by_trigger on episodes (trigger_words) where trigger_words is not null;

create view searched as
select e.n as n, e.title as title, e.body as body, e.dated as dated, coalesce((
    select p.body from episodes p
    where p.session = e.session and (p.at, p.n) < (e.at, e.n)
    order by p.at desc, p.n desc limit 1
), '') as before
from episodes e;

create virtual table words using fts5 (
    title, body, dated, before, content = 'searched', content_rowid = 'n',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

create trigger words_before_insert before insert on episodes begin
    insert into words (words, rowid, title, body, dated, before)
    select 'delete', * from searched where n = (
        select n from episodes where session = new.session and at > new.at order by at, n limit 1
    );
end;

create trigger words_after_insert after insert on episodes begin
    insert into words (rowid, title, body, dated, before)
    select * from searched where n = new.n or n = (
        select n from episodes where session = new.session and at > new.at order by at, n limit 1
    );
end;

create trigger words_before_delete before delete on episodes begin
    insert into words (words, rowid, title, body, dated, before)
    select 'delete', * from searched where n = old.n or n = (
        select n from episodes where session = old.session and (at, n) > (old.at, old.n)
        order by at, n limit 1
    );
end;

create trigger words_after_delete after delete on episodes begin
    insert into words (rowid, title, body, dated, before)
    select * from searched where n = (
        select n from episodes where session = old.session and (at, n) > (old.at, old.n)
        order by at, n limit 1
    );
end;

create trigger words_before_update before update of title, body on episodes begin
    insert into words (words, rowid, title, body, dated, before)
    select 'delete', * from searched where n = old.n or n = (
        select n from episodes where session = old.session and (at, n) > (old.at, old.n)
        order by at, n limit 1
    );
end;

create trigger words_after_update after update of title, body on episodes begin
    insert into words (rowid, title, body, dated, before)
    select * from searched where n = new.n or n = (
        select n from episodes where session = new.session and (at, n) > (new.at, new.n)
        order by at, n limit 1
    );
end;

create table vectors (
    r integer primary key autoincrement,
    n integer not null references episodes (n) on delete cascade,
    space text not null,
    v blob not null,
    unique (space, n)
) strict;

create index vectors_by_episode on vectors (n);

create table sessions (
    id text primary key,
    agent text not null,
    project text,
    cwd text,
    parent text,
    started text not null,
    ended text not null,
    turns integer not null,
    person_turns integer not null,
    detector integer not null,
    updated text not null
) strict;

create table files (
    path text primary key,
    size integer not null,
    mtime_ns integer not null,
    tail text not null,
    lines integer not null,
    damaged integer not null,
    detector integer not null,
    read_at text not null
) strict;

create table lessons (
    id text primary key,
    text text not null,
    kind text not null,
    project text,
    strength real not null,
    seen integer not null,
    sources text not null,
    created text not null,
    updated text not null,
    origin text,
    hash text not null,
    origins text not null,
    trust text not null,
    wording text not null,
    valid_from text,
    valid_until text,
    superseded_by text
) strict;

create table predictions (
    id text primary key,
    lesson text not null,
    text text not null,
    made text not null,
    due text not null,
    resolved text,
    outcome text
) strict;

create table aliases (old text primary key, new text not null, at text not null) strict;

create table ledger (
    seq integer primary key autoincrement,
    at text not null,
    verb text not null,
    subject text not null,
    before text,
    after text,
    why text not null
) strict;

create trigger ledger_is_append_only before update on ledger begin
    select raise(abort, 'the ledger is append-only');
end;

create trigger ledger_keeps_all before delete on ledger begin
    select raise(abort, 'the ledger is append-only');
end
"""


@steps()
def m002_forgetting(db: Database) -> None:
    """What was forgotten and vetoed, and what an import needs to compare ledgers."""
    for statement in _M002.split(";\n\n"):
        db.execute(statement)


_M002 = """
create table tombstones (
    key text primary key,
    scope text not null,
    at text not null,
    since text,
    until text
) strict;

create index tombstones_of_time on tombstones (scope) where scope = 'time';

create table vetoes (
    hash text primary key,
    text text not null,
    at text not null,
    lifted text
) strict;

alter table ledger add column ref text;

create index ledger_by_time on ledger (at)
"""


@steps()
def m003_lessons(db: Database) -> None:
    """What sleep works with: who rests on what, what is open, what a night had decided."""
    for statement in _M003.split(";\n\n"):
        db.execute(statement)


# lesson_sources and veto_sources are derived, by triggers alone: `insert or replace` would pass the
# delete trigger by, so lessons and vetoes are written by upserts.
_M003 = """
alter table lessons add column archived text;

alter table vetoes add column kind text;

alter table vetoes add column lesson text;

alter table vetoes add column sources text not null default '[]';

create table lesson_sources (
    episode text not null,
    lesson text not null,
    primary key (episode, lesson)
) strict, without rowid;

create index lesson_sources_by_lesson on lesson_sources (lesson);

insert or ignore into lesson_sources
select s.value, l.id from lessons l, json_each(l.sources) s;

create trigger lesson_sources_of_new after insert on lessons begin
    insert or ignore into lesson_sources select value, new.id from json_each(new.sources);
end;

create trigger lesson_sources_of_changed after update of id, sources on lessons begin
    delete from lesson_sources where lesson = old.id;
    insert or ignore into lesson_sources select value, new.id from json_each(new.sources);
end;

create trigger lesson_sources_of_gone after delete on lessons begin
    delete from lesson_sources where lesson = old.id;
end;

create table veto_sources (
    episode text not null,
    hash text not null,
    primary key (episode, hash)
) strict, without rowid;

create index veto_sources_by_veto on veto_sources (hash);

create trigger veto_sources_of_new after insert on vetoes when new.lifted is null begin
    insert or ignore into veto_sources select value, new.hash from json_each(new.sources);
end;

create trigger veto_sources_of_changed after update of hash, sources, lifted on vetoes begin
    delete from veto_sources where hash = old.hash;
    insert or ignore into veto_sources
    select value, new.hash from json_each(new.sources) where new.lifted is null;
end;

create trigger veto_sources_of_gone after delete on vetoes begin
    delete from veto_sources where hash = old.hash;
end;

create index lessons_by_kind on lessons (kind, project);

create index lessons_by_hash on lessons (hash);

create index predictions_by_lesson on predictions (lesson);

create index predictions_open on predictions (due) where resolved is null;

create index aliases_by_new on aliases (new);

create index episodes_by_kind on episodes (kind, project, at, id) where archived is null;

create index ledger_by_subject on ledger (subject, seq) where subject <> '';

create index ledger_taken_back on ledger (seq) where verb = 'RESTORE' and ref is not null;

create table sleep_run (
    one integer primary key check (one = 1),
    now text not null,
    pass text not null,
    state text not null check (state in ('deciding', 'decided', 'done'))
) strict;

create table sleep_journal (seq integer primary key autoincrement, change blob not null) strict
"""
