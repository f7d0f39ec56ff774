import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENTRY_VERSION, userMessage, type Entry, type Store } from '@parley/core'
import { expect, inject, it } from 'vitest'
import { bundleWorker } from './bundle-worker.ts'
import { dropSchema } from './drop-schema.ts'
import type { Place } from './matrix-worker.ts'
import { openRaceStore } from './open-race-store.ts'

const LOST = ['run-busy', 'run-ended', 'store-fenced', 'store-conflict']

/** Describes two processes that resume the same run. */
export function describeResumeRace(rounds: number): void {
it.each(['sqlite', 'postgres'] as const)(
  'one of two processes that resume a run on %s at the same time drives it, and the other one stops with a known error',
  { timeout: 120_000 + rounds * 1_000 },
  async kind => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-resume-race-'))
    const place: Place =
      kind === 'sqlite'
        ? { type: 'sqlite', path: join(folder, 'runs.db') }
        : { type: 'postgres', url: inject('postgresUrl'), schema: `race_${randomUUID().slice(0, 8)}` }
    const effects = join(folder, 'effects')
    await using store = await openRaceStore(place)
    const script = await bundleWorker('race-worker')
    const racers = [1, 2].map(() => fork(script, [JSON.stringify(place), effects]))
    await Promise.all(racers.map(said))
    for (let round = 0; round < rounds; round++) {
      const runId = `run-${round}`
      await leaveBehind(store, runId)
      const ends = await Promise.all(racers.map(racer => resume(racer, runId)))
      expect(ends.filter(end => end === 'completed')).toHaveLength(1)
      expect(LOST).toContain(ends.find(end => end !== 'completed'))
      const started = (await store.read(runId)).filter(entry => entry.type === 'tool.started')
      expect(started).toHaveLength(2)
    }
    for (const racer of racers) racer.send('end')
    await Promise.all(racers.map(racer => once(racer, 'close')))
    const executions = readFileSync(effects, 'utf8').trim().split('\n')
    expect(new Set(executions).size).toBe(executions.length)
    if (place.type === 'postgres') await dropSchema(place.url, place.schema)
    await rm(folder, { recursive: true, force: true })
  },
)
}

/** Writes a run as a process leaves it that dies after its first append. */
async function leaveBehind(store: Store, runId: string): Promise<void> {
  const identity = { agent: 'worker', model: 'scripted/script', sessionId: runId, scope: 'default' }
  const at = Date.now()
  const entries: readonly Entry[] = [
    { v: ENTRY_VERSION, seq: 1, at, type: 'run.started', relation: 'initial', ...identity },
    { v: ENTRY_VERSION, seq: 2, at, type: 'message.appended', source: 'input', message: userMessage('go') },
  ]
  await store.append({ runId, expectedSeq: 0, worker: 'dead', fence: 1, entries })
}

async function resume(racer: ChildProcess, runId: string): Promise<unknown> {
  const answer = said(racer)
  racer.send(runId)
  return answer
}

async function said(racer: ChildProcess): Promise<unknown> {
  const [answer] = (await once(racer, 'message')) as [unknown]
  return answer
}
