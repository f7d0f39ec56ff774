// Deep: it starts Restate servers and kills their workers 60 times.
import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry, ParleyError, Store } from '@parley/core'
import { isValidTranscript, loadRun } from '@parley/engine/journal'
import { openPostgresStore } from '@parley/postgres'
import { createRestateClient, type HostedRun } from '@parley/restate'
import { describe, expect, inject, it } from 'vitest'
import { bundleWorker } from './__fixtures__/bundle-worker.ts'
import { EFFECTS, MESSAGES } from './__fixtures__/chaos-agents.ts'
import type { ChaosOrder } from './__fixtures__/chaos-worker.ts'
import { dropSchema } from './__fixtures__/drop-schema.ts'
import { isWithoutRestate, notTriedOnRestate } from './__fixtures__/not-tried-on-restate.ts'
import { freePort } from '@parley-tooling/test-run/free-port'
import { startRestate } from './__fixtures__/start-restate.ts'

const RUNS = 200

it.runIf(isWithoutRestate)('a Restate server is installed', notTriedOnRestate)

describe.skipIf(isWithoutRestate)('runs on Restate with three workers', () => {
  it(
    '200 runs on Restate complete although two workers and the server are killed, and no once tool runs twice',
    { timeout: 600_000 },
    async () => {
      await using server = await startRestate()
      const folder = await mkdtemp(join(tmpdir(), 'parley-restate-chaos-'))
      const effects = join(folder, 'effects')
      await writeFile(effects, '')
      const schema = `chaos_${randomUUID().slice(0, 8)}`
      const order: ChaosOrder = { url: inject('postgresUrl'), schema, port: await freePort(), effects }
      const store = await openPostgresStore({ url: order.url, schema: order.schema })
      const workers = await startWorkers(order)
      await server.register(`http://127.0.0.1:${order.port}`)
      const client = createRestateClient({ ingress: server.ingress, store })

      const begun = performance.now()
      const runs = await inBatches(RUNS, index => client.start('worker', index % 4 === 0 ? 'ask' : 'go'))
      const results = Promise.all(runs.map(run => run.result()))
      const deciding = decideAll(
        store,
        runs.filter((_, index) => index % 4 === 0),
      )

      const total = RUNS * EFFECTS
      await untilEffects(effects, total * 0.2)
      workers[0]?.kill('SIGKILL')
      await untilEffects(effects, total * 0.45)
      await server.kill()
      await server.restart()
      await untilEffects(effects, total * 0.7)
      workers[1]?.kill('SIGKILL')

      const ended = await results
      await deciding
      const took = performance.now() - begun
      workers[2]?.kill('SIGKILL')
      const counts = await examine(store, runs, effects)
      process.stdout.write(`restate chaos: ${JSON.stringify({ runs: RUNS, ...counts, ms: Math.round(took) })}\n`)
      expect(ended.filter(({ status }) => status !== 'completed')).toEqual([])
      expect(counts).toMatchObject({ lost: 0, duplicates: 0, untold: 0 })
      await store[Symbol.asyncDispose]()
      await dropSchema(order.url, schema)
      await rm(folder, { recursive: true, force: true })
    },
  )
})

async function startWorkers(order: ChaosOrder): Promise<readonly ChildProcess[]> {
  const script = await bundleWorker('chaos-worker')
  const workers = [1, 2, 3].map(() => fork(script, [JSON.stringify(order)]))
  await Promise.all(workers.map(worker => once(worker, 'message')))
  return workers
}

async function inBatches<TValue>(count: number, make: (index: number) => Promise<TValue>): Promise<readonly TValue[]> {
  const made: TValue[] = []
  for (let from = 0; from < count; from += 25) {
    made.push(...(await Promise.all(Array.from({ length: 25 }, (_, offset) => make(from + offset)))))
  }
  return made
}

/** Approves every request of the runs and of their child runs twice at the same time. One of the two decisions counts. */
async function decideAll(store: Store, runs: readonly HostedRun[]): Promise<void> {
  const waiting = new Map(runs.flatMap(run => [`${run.runId} itself`, `${run.runId} helper`].map(key => [key, run])))
  while (waiting.size > 0) {
    for (const [key, run] of waiting) {
      const approvalId = requestIn(await store.read(run.runId), key.endsWith('helper'))
      if (approvalId === undefined) continue
      waiting.delete(key)
      const decide = () => run.decide(approvalId, { decision: { type: 'approved' } })
      const both = await Promise.allSettled([decide(), decide()])
      const refused = both.flatMap(one => (one.status === 'rejected' ? [(one.reason as ParleyError).code] : []))
      expect(refused).toEqual(['approval-decided'])
    }
    await sleep(20)
  }
}

function requestIn(entries: readonly Entry[], isHelpers: boolean): string | undefined {
  if (isHelpers) return entries.find(entry => entry.type === 'agent.suspended')?.approvals[0]?.approvalId
  return entries.find(entry => entry.type === 'approval.requested')?.request.approvalId
}

async function untilEffects(path: string, count: number): Promise<void> {
  while (readFileSync(path, 'utf8').split('\n').length < count) await sleep(10)
}

async function examine(store: Store, runs: readonly HostedRun[], path: string) {
  const executions = new Map<string, number>()
  for (const key of readFileSync(path, 'utf8').trim().split('\n')) executions.set(key, (executions.get(key) ?? 0) + 1)
  const counts = { lost: 0, duplicates: 0, untold: 0, unknown: 0, repeated: 0 }
  for (const { runId } of runs) {
    const entries = await store.read(runId)
    const messages = (await loadRun(store, runId)).transcript.toArray()
    if (entries.at(-1)?.type !== 'run.ended' || messages.length !== MESSAGES || !isValidTranscript(messages))
      counts.lost += 1
    const helped = entries.find(entry => entry.type === 'agent.ended')
    if (helped?.outcome.status !== 'completed') counts.lost += 1
    const inner = await store.read(helped?.childRunId ?? '')
    for (const { key, effect, interrupted } of [...callsOf(runId, entries), ...callsOf(helped?.childRunId, inner)]) {
      const times = executions.get(key) ?? 0
      if (interrupted) counts.unknown += 1
      if (times > 1 && effect === 'once') counts.duplicates += 1
      else if (times > 1) counts.repeated += 1
      // If a call never ran, the model must have received an error result.
      if (times === 0 && !interrupted) counts.untold += 1
    }
  }
  return counts
}

/** The tool calls of a run that have an effect. */
function callsOf(runId: string | undefined, entries: readonly Entry[]) {
  const calls = new Map<string, { readonly key: string; readonly effect: string; interrupted: boolean }>()
  for (const entry of entries) {
    if (entry.type === 'tool.started' && entry.name !== 'help')
      calls.set(entry.callId, { key: `${runId}/${entry.callId}`, effect: entry.effect, interrupted: false })
    const call = entry.type === 'tool.ended' ? calls.get(entry.callId) : undefined
    if (call !== undefined && entry.type === 'tool.ended') call.interrupted = entry.error?.code === 'tool-interrupted'
  }
  return [...calls.values()]
}
