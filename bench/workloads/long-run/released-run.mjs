import { once } from 'node:events'
import { createRuntime } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { longAgent } from './long-agent.mjs'

/** Entries of a turn: the model call, its answer, and the start and the end of the tool call. */
const ENTRIES_A_TURN = 4

/** Writes the journal of a run that its process released after `entries` entries. @returns The run's id. */
export async function writeJournal(file, entries) {
  let left = Math.ceil(entries / ENTRIES_A_TURN)
  const reached = Promise.withResolvers()
  const agent = longAgent({
    next(signal) {
      if (left-- > 0) return false
      reached.resolve()
      return once(signal, 'abort')
    },
  })
  await using store = await openSqliteStore({ path: file })
  const runtime = createRuntime({ agents: [agent], store })
  const { runId } = runtime.run('long', 'go')
  await reached.promise
  await runtime.close({ drainMs: 0, onClose: 'suspend' })
  return runId
}

/** Resumes a run up to its next model call. @returns Milliseconds. */
export async function resumeJournal(file, runId) {
  let called
  const agent = longAgent({
    next() {
      called ??= performance.now()
      return true
    },
  })
  await using store = await openSqliteStore({ path: file })
  const runtime = createRuntime({ agents: [agent], store })
  const from = performance.now()
  const { status } = await (await runtime.resume(runId)).result
  if (status !== 'completed') throw new Error(`the resumed run ended as ${status}`)
  return called - from
}
