// #region crash-test
import { crashTest, runCrashWorker } from '@parley/evals/crash-test'
import { openSqliteStore } from '@parley/sqlite'

if (process.env['PARLEY_CRASH_ORDER'] === undefined) {
  const { tools, hasFaults } = await crashTest({
    module: new URL('shop-agents.example.ts', import.meta.url),
    worker: new URL(import.meta.url), // the processes that are killed run this file, too
    at: 'end:call_1', // only one kill; without it, every point
  })
  for (const { tool, declared, verdict, shouldDeclare } of tools) console.log(tool, declared, verdict, shouldDeclare) // → charge idempotent repeated once
  console.log(hasFaults) // → true
} else await runCrashWorker({ openStore: path => openSqliteStore({ path }) })
// #endregion
