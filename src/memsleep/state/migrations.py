"""The numbered, forward-only list of versions of `state.db`.

A migration that was ever shipped is never changed and its number never used again; a new one is
added at the end. Paths and instants are text, confidences and outcomes integers of 1/10,000.
"""

from __future__ import annotations

from memsleep.state.database import Schema

_FIRST = (
    """
    CREATE TABLE memories (
        id TEXT PRIMARY KEY,           -- path at first sight
        path TEXT UNIQUE,              -- where it lies, or lay when last seen
        digest TEXT NOT NULL,          -- of its content, '' while unknown
        first_seen_at TEXT NOT NULL,   -- '' where a seed did not say
        missing_since TEXT             -- null while its file is there
    ) STRICT
    """,
    """
    CREATE TABLE paths (
        memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
        path TEXT NOT NULL,            -- every path it ever had
        since TEXT NOT NULL,
        PRIMARY KEY (memory_id, path)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX paths_by_path ON paths (path)",
    """
    CREATE TABLE usage (
        memory_id TEXT PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
        access_count INTEGER NOT NULL DEFAULT 0 CHECK (access_count >= 0),
        last_accessed_at TEXT,
        reinforcement_count INTEGER NOT NULL DEFAULT 0 CHECK (reinforcement_count >= 0),
        last_reinforced_at TEXT,
        outcome_fp INTEGER NOT NULL DEFAULT 0 CHECK (outcome_fp BETWEEN -10000 AND 10000),
        usage_count INTEGER NOT NULL DEFAULT 0 CHECK (usage_count >= 0),
        last_used_at TEXT,
        corrected_count INTEGER NOT NULL DEFAULT 0 CHECK (corrected_count >= 0),
        evidence_count INTEGER NOT NULL DEFAULT 1 CHECK (evidence_count >= 0),
        source_refs TEXT NOT NULL DEFAULT '[]',  -- [{"session_id": ..., "seq": ...}], newest 50
        updated_at TEXT
    ) STRICT
    """,
    """
    CREATE TABLE decay (
        memory_id TEXT PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
        stated_fp INTEGER CHECK (stated_fp BETWEEN 0 AND 10000),
        effective_fp INTEGER CHECK (effective_fp BETWEEN 0 AND 10000),
        last_decay_at TEXT
    ) STRICT
    """,
    """
    CREATE TABLE spared (
        memory_id TEXT PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
        until TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        night TEXT NOT NULL,           -- UTC date
        now TEXT NOT NULL,             -- the run's instant
        started_at TEXT NOT NULL,
        ended_at TEXT,
        status TEXT NOT NULL,
        counts TEXT NOT NULL DEFAULT '{}',
        plan_digest TEXT NOT NULL DEFAULT '',
        base TEXT NOT NULL DEFAULT ''  -- commit the snapshot was read from
    ) STRICT
    """,
    """
    CREATE TABLE applied_effects (
        run_id TEXT NOT NULL,
        effect TEXT NOT NULL,          -- digest of kind and values
        applied_at TEXT NOT NULL,
        PRIMARY KEY (run_id, effect)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
)

_ACCESS_LOG = (
    """
    CREATE TABLE access_log (
        id INTEGER PRIMARY KEY,
        memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
        op TEXT NOT NULL CHECK (op IN ('search', 'recall', 'read', 'cite', 'corrected-cite')),
        session_id TEXT,
        at TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX access_log_by_time ON access_log (at)",
    "CREATE INDEX access_log_by_memory ON access_log (memory_id)",
)

_VERSIONS = (
    """
    CREATE TABLE versions (
        memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        cause TEXT NOT NULL CHECK (
            cause IN
            ('insert', 'edit', 'merge', 'decay', 'reprieve', 'archive', 'restore', 'rollback')
        ),
        reason TEXT,
        run_id TEXT,
        created_at TEXT NOT NULL,
        path TEXT NOT NULL,
        type TEXT NOT NULL,
        gist TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        confidence_fp INTEGER NOT NULL CHECK (confidence_fp BETWEEN 0 AND 10000),
        importance REAL NOT NULL,
        valid_until TEXT,
        status TEXT NOT NULL,
        PRIMARY KEY (memory_id, revision)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TRIGGER versions_are_only_added BEFORE UPDATE ON versions
    BEGIN SELECT raise(ABORT, 'a version is never changed'); END
    """,
)

_CORROBORATION = (
    """
    CREATE TABLE corroboration (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        detections INTEGER NOT NULL CHECK (detections >= 1),
        last_run_id TEXT NOT NULL,
        last_corpus TEXT NOT NULL,     -- digest of the corpus that the last detection saw
        promoted INTEGER NOT NULL DEFAULT 0 CHECK (promoted IN (0, 1)),
        PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID
    """,
)

_FULL_TEXT = (
    """
    CREATE TABLE documents (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        digest BLOB NOT NULL,          -- of what is indexed, to see what changed
        summary TEXT NOT NULL,
        body TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE VIRTUAL TABLE fts USING fts5 (
        summary, body, content = 'documents', content_rowid = 'id', tokenize = 'trigram'
    )
    """,
    """
    CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
        INSERT INTO fts (rowid, summary, body) VALUES (new.id, new.summary, new.body);
    END
    """,
    """
    CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
        INSERT INTO fts (fts, rowid, summary, body)
        VALUES ('delete', old.id, old.summary, old.body);
    END
    """,
    """
    CREATE TRIGGER documents_changed AFTER UPDATE ON documents BEGIN
        INSERT INTO fts (fts, rowid, summary, body)
        VALUES ('delete', old.id, old.summary, old.body);
        INSERT INTO fts (rowid, summary, body) VALUES (new.id, new.summary, new.body);
    END
    """,
)

_BRIEFS = (
    """
    CREATE TABLE briefs (
        fingerprint TEXT PRIMARY KEY,
        made_at TEXT NOT NULL,
        lines TEXT NOT NULL            -- {memory id: digest of type and gist}
    ) STRICT, WITHOUT ROWID
    """,
)

_LANDINGS = (
    """
    CREATE TABLE effects_before (      -- with these a landed effect is taken back
        run_id TEXT NOT NULL,
        effect TEXT NOT NULL,          -- digest of kind and values
        memory_id TEXT NOT NULL,
        before TEXT NOT NULL,          -- JSON: the row before, null where there was none
        after TEXT NOT NULL,           -- JSON: the row that the effect wrote
        PRIMARY KEY (run_id, effect)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE rejections (
        question TEXT PRIMARY KEY,     -- JSON: what was asked, of which memories
        digests TEXT NOT NULL,         -- JSON: path -> SHA-256 when it was answered
        permanent INTEGER NOT NULL CHECK (permanent IN (0, 1)),
        decision TEXT NOT NULL,
        run_id TEXT NOT NULL,
        reason TEXT NOT NULL,
        rejected_at TEXT NOT NULL
    ) STRICT
    """,
)

_MACHINES = (
    """
    CREATE TABLE usage_elsewhere (     -- what other machines counted, by their exports
        machine TEXT NOT NULL,
        memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
        access_count INTEGER NOT NULL,
        reinforcement_count INTEGER NOT NULL,
        outcome_fp INTEGER NOT NULL,
        last_accessed_at TEXT,
        last_reinforced_at TEXT,
        updated_at TEXT,
        usage_count INTEGER NOT NULL,
        last_used_at TEXT,
        corrected_count INTEGER NOT NULL,
        evidence_count INTEGER NOT NULL,
        source_refs TEXT NOT NULL,
        PRIMARY KEY (machine, memory_id)
    ) STRICT, WITHOUT ROWID
    """,
)

_QUESTIONS = (
    """
    CREATE TABLE questions (           -- what the last night asked a person
        key TEXT PRIMARY KEY,          -- ids of the two memories, in order, NUL between them
        since TEXT NOT NULL            -- the first of the nights that asked it one after the other
    ) STRICT, WITHOUT ROWID
    """,
)

_MIGRATIONS = (
    _FIRST,
    _ACCESS_LOG,
    _VERSIONS,
    _CORROBORATION,
    _FULL_TEXT,
    _BRIEFS,
    _LANDINGS,
    _MACHINES,
    _QUESTIONS,
)

STATE = Schema(application_id=0x6D736C70, migrations=_MIGRATIONS)  # "mslp"
