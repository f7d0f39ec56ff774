import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Runtime } from '@parley/engine'

/** Ids of runs of the demo. */
export interface SeededRuns {
  readonly calculated: string
  readonly waiting: string
  readonly overview: string
  readonly crashed: string
  readonly failed: string
  readonly compacted: string
  readonly forked: string
  readonly report: string
}

/**
 * Fills a store with a dozen runs: tools, child runs, a pending approval, a crash that was resumed, a fork, a workflow, a failure,
 * and a long conversation whose context was compacted.
 * @param place The database that the runtime uses: a SQLite file or a `postgres://` address; another process begins the run that crashes.
 */
export async function seedDemo(runtime: Runtime, place: string): Promise<SeededRuns> {
  const crash = once(fork(join(import.meta.dirname, 'crash-run.ts'), [place], { execArgv: process.execArgv }), 'exit')
  const calculated = await settle(runtime, { agent: 'assistant', input: 'What is 12 * 34?' })
  await settle(runtime, { agent: 'assistant', input: 'Who are you?' })
  await settle(runtime, { agent: 'researcher', input: 'lighthouses' })
  const overview = await settle(runtime, { agent: 'editor', input: 'Tides of the North Sea' })
  const failed = await settle(runtime, { agent: 'translator', input: 'Translate “good morning” into Danish.' })
  const report = await settle(runtime, { agent: 'report', input: 'go', variables: { topics: ['Dykes', 'Dunes', 'Harbours'] } })
  const compacted = await converse(runtime)
  const refunded = await approve(runtime)
  const forked = await (await runtime.fork(refunded.runId, { at: refunded.at, input: 'It is order B-3, not A-7.' })).result
  const waiting = await settle(runtime, { agent: 'support', input: 'My order C-9 never arrived.' })
  await crash
  const [crashed] = await runtime.runs({ agent: 'billing' })
  if (crashed === undefined) throw new Error('the process that crashes began no run')
  await (await runtime.resume(crashed.runId, { force: true })).result
  return { calculated, waiting, overview, crashed: crashed.runId, failed, compacted, forked: forked.runId, report }
}

interface Question {
  readonly agent: string
  readonly input: string
  readonly sessionId?: string
  readonly variables?: Record<string, string[]>
}

async function settle(runtime: Runtime, { agent, input, ...options }: Question): Promise<string> {
  const run = runtime.run(agent, input, options)
  await run.result
  return run.runId
}

async function converse(runtime: Runtime): Promise<string> {
  const sessionId = 'notes'
  let last = ''
  for (const note of ['Buy lamp oil', 'Paint the door', 'Count the boats', 'Write to Ann', 'Mend the net', 'Call the pilot'])
    last = await settle(runtime, { agent: 'archivist', input: note, sessionId })
  return last
}

/** A refund that was approved. `at` is the entry after the question. */
async function approve(runtime: Runtime): Promise<{ runId: string; at: number }> {
  const runId = await settle(runtime, { agent: 'support', input: 'My order A-7 never arrived.' })
  const [approval] = await runtime.approvals({ runId })
  if (approval === undefined) throw new Error('the refund asked for no approval')
  const by = { id: 'sam', roles: [] }
  await (await runtime.decide(approval.approvalId, { decision: { type: 'approved' }, by })).result
  let at = 1
  for await (const event of runtime.replay(runId)) if (event.type === 'message.appended' && event.source === 'model') {
    at = event.seq
    break
  }
  return { runId, at: at - 1 }
}
