import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Gives each run a number, and stores its appends under one number: that of the run in the high bits, that of the last entry in the low 32
 * bits. An append then changes one page, and the table needs no index. A database that finds appends by the id of their run stays as it is.
 * @param isNumbered Whether the database stores appends so.
 */
export const runNumbers = (isNumbered = false): Migration => ({
  async up(db: Kysely<unknown>) {
    if (!isNumbered) return
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
})

const COLUMNS =
  'run_id, session_id, scope, agent, relation, status, seq, started_at, updated_at, worker, fence, parent, received, taken, model, preview, spent'

const STATEMENTS = [
  'alter table runs rename to runs_by_id',
  'alter table appends rename to appends_by_key',
  `create table runs (num integer primary key, run_id text not null unique, session_id text not null, scope text not null,
    agent text not null, relation text not null, status text not null, seq bigint not null, started_at bigint not null,
    updated_at bigint not null, worker text not null, fence bigint not null, parent text, received bigint not null default 0,
    taken bigint not null default 0, model text, preview text, spent text)`,
  `insert into runs (${COLUMNS}) select ${COLUMNS} from runs_by_id order by started_at, run_id`,
  'create table appends (id integer primary key, at bigint not null, entries text not null)',
  // In the order of the new key, so that each page is written once.
  `insert into appends (id, at, entries) select runs.num << 32 | old.seq, old.at, old.entries
    from runs cross join appends_by_key as old on old.run_id = runs.run_id order by runs.num, old.seq`,
  'drop table appends_by_key',
  'drop table runs_by_id',
  `create trigger runs_removed after delete on runs begin
    delete from appends where id > old.num << 32 and id < (old.num + 1) << 32;
  end`,
  'create index runs_by_scope on runs (scope, started_at desc, run_id desc)',
  'create index runs_by_session on runs (session_id, scope, started_at desc, run_id desc)',
  ...['status', 'agent', 'relation'].map(
    column => `create index runs_by_${column} on runs (scope, ${column}, started_at desc, run_id desc)`,
  ),
  'create index runs_by_parent on runs (parent, scope, started_at desc, run_id desc) where parent is not null',
  'create index runs_unread on runs (run_id) where received > taken',
]
