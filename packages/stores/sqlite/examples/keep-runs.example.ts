import { ENTRY_VERSION } from '@parley/core'
// #region open
import { openSqliteStore } from '@parley/sqlite'

await using store = await openSqliteStore({ path: ':memory:' }) // or '.parley/runs.db'
// #endregion
await store.append({
  runId: 'r1',
  expectedSeq: 0,
  worker: 'w',
  fence: 1,
  entries: [
    {
      v: ENTRY_VERSION,
      seq: 1,
      at: 1,
      type: 'run.started',
      agent: 'a',
      model: 'p/m',
      sessionId: 's',
      scope: 'default',
      relation: 'initial',
    },
  ],
})
// #region read
for (const { runId, agent } of await store.runs({ scope: 'default', status: 'running' })) {
  const entries = await store.read(runId)
  console.log(runId, agent, entries.length) // → r1 a 1
}
// #endregion
