// #region open
import { openPostgresStore } from '@parley/postgres'

async function unfinishedRuns(url: string) {
  await using store = await openPostgresStore({ url })
  return store.runs({ scope: 'default', status: 'running' })
}
// #endregion
try {
  console.log(await unfinishedRuns('postgres://parley@127.0.0.1:1/runs'))
} catch (error) {
  // No server listens there.
  console.log(error instanceof Error && error.message.includes('could not be reached')) // → true
}
