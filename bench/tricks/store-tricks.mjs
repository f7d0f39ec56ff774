// Tricks of the SQLite store, which save time in each durable turn.
const sqlite = file => `packages/stores/sqlite/src/${file}.ts`

export const storeTricks = [
  {
    name: 'held-append',
    file: sqlite('create-append'),
    saves: 'the transaction and the query for the run, for each append that does not change the status of the run',
    metric: 'durable-cpu',
    undo: [
      {
        from: 'const record = known === undefined ? undefined : extendHead(known, append)',
        to: 'const record = undefined as RunRecord | undefined',
      },
    ],
  },
  {
    name: 'no-savepoint',
    file: sqlite('create-append'),
    saves: 'a copy of each page that a grouped append changes, which a savepoint makes',
    metric: 'together-cpu',
    undo: [
      {
        from: 'const isPart = database.inTransaction && append.counts === undefined',
        to: 'const isPart = false as boolean',
      },
    ],
  },
  {
    name: 'crowded-turn',
    file: sqlite('create-group-commit'),
    saves: 'the commit of the run that appends first in a turn of the event loop, while other runs append too',
    metric: 'together-cpu',
    undo: [{ from: 'isCrowded = hasOthers', to: 'isCrowded = false' }],
  },
  {
    name: 'prepared-query',
    file: sqlite('prepare-query'),
    saves: 'preparing each statement again',
    metric: 'durable-cpu',
    undo: [
      {
        from: 'const statement = database.prepare<unknown[], TRow>(text)',
        to: `const prepare = () => database.prepare<unknown[], TRow>(text)
  const statement = {
    run: (values: unknown[]) => prepare().run(values),
    get: (values: unknown[]) => prepare().get(values),
    all: (values: unknown[]) => prepare().all(values),
  }`,
      },
    ],
  },
  {
    name: 'held-values',
    file: sqlite('insert-append'),
    saves: 'a temporary table for each append',
    metric: 'durable-cpu',
    undo: [
      {
        from: 'const held = sql`select ${at} from runs',
        to: 'const held = sql`select num << 32 | ${seq}, ${at}, ${text} from runs',
      },
      {
        from: 'insert or ignore into appends (id, at, entries) values (${idOf({ run_id, seq })}, (${held}), ${text})',
        to: 'insert into appends (id, at, entries) ${held}',
      },
    ],
  },
  {
    name: 'listed-prepared',
    file: sqlite('create-list-rows'),
    saves: 'compiling and preparing the query for the last run of a session',
    metric: 'durable-cpu',
    undo: [{ from: 'prepared.set(key, statement)', to: '' }],
  },
  {
    name: 'listed-expression',
    file: sqlite('prepare-query'),
    saves: 'compiling the query for the last run of a session each time that its values are bound',
    metric: 'durable-cpu',
    undo: [{ from: 'sql`+${name}`', to: 'name' }],
  },
  {
    name: 'counted-arrays',
    file: sqlite('large-append/large-text'),
    saves: 'a text for each index of an array, while the characters of an append are counted',
    metric: 'durable-cpu',
    undo: [{ from: 'if (Array.isArray(value)) {', to: 'if (Array.isArray(value) && limit < 0) {' }],
  },
]
