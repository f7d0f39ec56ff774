import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Store } from '@parley/core'
import { createRuntime, type Runtime } from '@parley/engine'
import { demoAgents } from './demo-agents.ts'
import { createDemoClock, type DemoClock } from './demo-clock.ts'

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

/** Milliseconds that a model takes for an answer while the demo is seeded: about two seconds of its clock. */
export const SEED_DELAY_MS = 100

const MINUTE_MS = 60_000

/**
 * Fills a store with the runs of the last 30 hours: tools, child runs, a pending approval, a crash that was resumed, a fork, a
 * workflow, a failure, and a long conversation whose context was compacted.
 * @param place The database of the store: a SQLite file or a `postgres://` address; another process begins the run that crashes.
 */
export async function seedDemo(store: Store, place: string): Promise<SeededRuns> {
  const now = Date.now()
  const at = (minutesAgo: number): number => now - minutesAgo * MINUTE_MS
  const clock = createDemoClock(at(1800))
  const agents = demoAgents({ delayMs: SEED_DELAY_MS })
  await using runtime = createRuntime({ store, agents, clock, captureRequests: 'keep', leaseMs: 60 * MINUTE_MS })
  const crash = once(fork(join(import.meta.dirname, 'crash-run.ts'), [place, String(at(52))], { execArgv: process.execArgv }), 'exit')
  const calculated = await settle(runtime, { agent: 'assistant', input: 'What is 12 * 34?' })
  await settle(runtime, { agent: 'assistant', input: 'Who are you?' })
  clock.skipTo(at(1430))
  await settle(runtime, { agent: 'researcher', input: 'lighthouses' })
  const overview = await settle(runtime, { agent: 'editor', input: 'Tides of the North Sea' })
  clock.skipTo(at(660))
  const failed = await settle(runtime, { agent: 'translator', input: 'Translate “good morning” into Danish.' })
  clock.skipTo(at(420))
  const report = await settle(runtime, { agent: 'report', input: 'Report on the coast', variables: { topics: ['Dykes', 'Dunes', 'Harbours'] } })
  clock.skipTo(at(240))
  const compacted = await converse(runtime, clock)
  clock.skipTo(at(130))
  const refunded = await approve(runtime, clock)
  clock.skipTo(at(75))
  const forked = await (await runtime.fork(refunded.runId, { at: refunded.at, input: 'It is order B-3, not A-7.' })).result
  await crash
  const [crashed] = await runtime.runs({ agent: 'billing' })
  if (crashed === undefined) throw new Error('the process that crashes began no run')
  clock.skipTo(at(51))
  await (await runtime.resume(crashed.runId, { force: true })).result
  clock.skipTo(at(6))
  const waiting = await settle(runtime, { agent: 'support', input: 'My order C-9 never arrived.' })
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

async function converse(runtime: Runtime, clock: DemoClock): Promise<string> {
  const sessionId = 'notes'
  let last = ''
  for (const note of ['Buy lamp oil', 'Paint the door', 'Count the boats', 'Write to Ann', 'Mend the net', 'Call the pilot']) {
    last = await settle(runtime, { agent: 'archivist', input: note, sessionId })
    clock.skipTo(clock.now() + 7 * MINUTE_MS)
  }
  return last
}

/** A refund that was approved after a quarter of an hour. `at` is the entry after the question. */
async function approve(runtime: Runtime, clock: DemoClock): Promise<{ runId: string; at: number }> {
  const runId = await settle(runtime, { agent: 'support', input: 'My order A-7 never arrived.' })
  const [approval] = await runtime.approvals({ runId })
  if (approval === undefined) throw new Error('the refund asked for no approval')
  clock.skipTo(clock.now() + 16 * MINUTE_MS)
  const by = { id: 'sam', roles: [] }
  await (await runtime.decide(approval.approvalId, { decision: { type: 'approved' }, by })).result
  let at = 1
  for await (const event of runtime.replay(runId)) if (event.type === 'message.appended' && event.source === 'model') {
    at = event.seq
    break
  }
  return { runId, at: at - 1 }
}
