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
    name: 'prepared-query',
    file: sqlite('prepare-query'),
    saves: 'preparing each statement again',
    metric: 'durable-cpu',
    undo: [
      {
        from: 'const statement = database.prepare<unknown[], TRow>(sql)',
        to: `const prepare = (): Statement<unknown[], TRow> => database.prepare<unknown[], TRow>(sql)
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
    file: sqlite('insert-held'),
    saves: 'a temporary table for each append',
    metric: 'durable-cpu',
    undo: [
      {
        from: ".select('run_id')",
        to: ".select(['run_id', sql.val(seq).as('seq'), sql.val(at).as('at'), text.as('entries')])",
      },
      {
        from: '.orIgnore().values({ run_id: held.$asScalar(), seq, at, entries: text })',
        to: ".columns(['run_id', 'seq', 'at', 'entries']).expression(held)",
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
