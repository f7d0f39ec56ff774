import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENTRY_VERSION, userMessage, type Entry, type Store } from '@parley/core'
import { createRuntime, type Runtime } from '@parley/engine'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { auditRace } from './audit-race.ts'
import { bundleWorker } from './bundle-worker.ts'
import type { RaceAnswer, RaceCommand, RaceJob } from './command-worker.ts'
import { dropSchema } from './drop-schema.ts'
import type { Place } from './matrix-worker.ts'
import { openRaceStore } from './open-race-store.ts'
import { EXPIRES_MS, payingAgents } from './paying-agents.ts'

/** Runs that race at the same time. */
const BATCH = 8
const GIVE_UP_MS = 20_000

interface Race {
  readonly name: string
  /** The agent of a run that is suspended before the race. @default the race starts the run */
  readonly agent?: string
  /** The commands of the two processes. */
  readonly sides: readonly [readonly RaceCommand[], readonly RaceCommand[]]
}

const waiting = (first: RaceCommand, second: RaceCommand): Race => ({
  name: `${first} and ${second} of a suspended run`,
  agent: 'payer',
  sides: [[first], [second]],
})

const released = (first: RaceCommand, second: RaceCommand): Race => ({
  name: `${first} and ${second} of a released run`,
  agent: 'allowed',
  sides: [[first], [second]],
})

const RACES: readonly Race[] = [
  released('resume', 'resume'),
  released('resume', 'cancel'),
  released('resume', 'steer'),
  waiting('approve', 'approve'),
  waiting('approve', 'reject'),
  waiting('approve', 'resume'),
  waiting('approve', 'cancel'),
  waiting('approve', 'steer'),
  waiting('resume', 'resume'),
  waiting('resume', 'cancel'),
  waiting('cancel', 'cancel'),
  waiting('steer', 'cancel'),
  {
    name: 'two of each process',
    agent: 'payer',
    sides: [
      ['approve', 'cancel'],
      ['reject', 'resume'],
    ],
  },
  { name: 'approve of a run that is being suspended', sides: [['start'], ['approve']] },
  { name: 'approve and reject of a run that is being suspended', sides: [['start', 'approve'], ['reject']] },
  { name: 'reject twice of a run that is being suspended', sides: [['start'], ['reject', 'reject']] },
  { name: 'cancel of a run that is being suspended', sides: [['start'], ['cancel']] },
  { name: 'cancel and approve of a run that is being suspended', sides: [['start', 'cancel'], ['approve']] },
  {
    name: 'steer of a run that is being suspended',
    sides: [
      ['start', 'steer'],
      ['steer', 'approve'],
    ],
  },
  { name: 'approve at the expiry', agent: 'hurried', sides: [['watch'], ['approve']] },
  { name: 'approve and cancel at the expiry', agent: 'hurried', sides: [['watch', 'approve'], ['cancel']] },
]

/** Describes commands of two processes about one run. Each race is tried a number of times. */
export function describeCommandRaces(tries: number): void {
describe.each(['sqlite', 'postgres'] as const)('two processes command runs on %s', kind => {
  let folder = ''
  let place: Place
  let store: Store
  let runtime: Runtime
  let racers: readonly ChildProcess[]
  let effects = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-command-races-'))
    effects = join(folder, 'effects')
    writeFileSync(effects, '')
    place =
      kind === 'sqlite'
        ? { type: 'sqlite', path: join(folder, 'runs.db') }
        : { type: 'postgres', url: inject('postgresUrl'), schema: `races_${randomUUID().slice(0, 8)}` }
    store = await openRaceStore(place)
    runtime = createRuntime({ store, agents: payingAgents(effects) })
    const script = await bundleWorker('command-worker')
    racers = [1, 2].map(() => fork(script, [JSON.stringify(place), effects]))
    await Promise.all(racers.map(said))
  })

  afterAll(async () => {
    for (const racer of racers) racer.send('end')
    await Promise.all(racers.map(racer => once(racer, 'close')))
    await runtime.close()
    await store[Symbol.asyncDispose]()
    if (place.type === 'postgres') await dropSchema(place.url, place.schema)
    await rm(folder, { recursive: true, force: true })
  })

  it.each(RACES)('one command wins and none is lost: $name', { timeout: 120_000 + tries * 1_000 }, async race => {
    const faults: string[] = []
    for (let tried = 0; tried < tries; tried += BATCH) {
      const runIds = Array.from({ length: BATCH }, () => randomUUID())
      const begun = Date.now()
      if (race.agent !== undefined) await Promise.all(runIds.map(runId => suspend(race.agent ?? '', runId)))
      const at = race.agent === 'hurried' ? begun + EXPIRES_MS : Date.now() + 5
      const answers = (
        await Promise.all(
          racers.map((racer, side) =>
            send(
              racer,
              runIds.map(runId => ({ runId, commands: race.sides[side] ?? [], at })),
            ),
          ),
        )
      ).flat()
      for (const runId of runIds) faults.push(...(await finish(runId, answers)))
    }
    expect(faults).toEqual([])
  })

  async function suspend(agent: string, runId: string): Promise<void> {
    if (agent === 'allowed') return leaveReleased(runId)
    const { status } = await runtime.run(agent, 'go', { runId }).result
    // On a busy machine the request may expire before the run is suspended.
    expect(agent === 'hurried' ? ['suspended', 'completed'] : ['suspended']).toContain(status)
  }

  /** Writes a run as a live process leaves it that released it after its first append. */
  async function leaveReleased(runId: string): Promise<void> {
    const at = Date.now()
    const identity = { agent: 'allowed', model: 'scripted/script', sessionId: runId, scope: 'default' }
    const entries: readonly Entry[] = [
      { v: ENTRY_VERSION, seq: 1, at, type: 'run.started', relation: 'initial', ...identity },
      { v: ENTRY_VERSION, seq: 2, at, type: 'message.appended', source: 'input', message: userMessage('go') },
      { v: ENTRY_VERSION, seq: 3, at, type: 'run.suspended', approvals: [], reason: 'shutdown' },
    ]
    await store.heartbeat({ worker: 'releasing', at, ttlMs: 60_000 })
    await store.append({ runId, expectedSeq: 0, worker: 'releasing', fence: 1, entries })
  }

  /** Brings the run to its end, if no command did, and audits it. */
  async function finish(runId: string, all: readonly RaceAnswer[]): Promise<readonly string[]> {
    const answers = all.filter(answer => answer.runId === runId)
    const deadline = Date.now() + GIVE_UP_MS
    let status = (await store.run(runId))?.status
    const isUndecided = !answers.some(
      ({ command, refused }) => refused === undefined && ['approve', 'reject', 'cancel'].includes(command),
    )
    while ((status === 'running' || status === 'suspended') && Date.now() < deadline) {
      if (status === 'suspended' && isUndecided) await approve(runId)
      await new Promise(resolve => setTimeout(resolve, 2))
      status = (await store.run(runId))?.status
    }
    const entries = await store.read(runId)
    const count = readFileSync(effects, 'utf8')
      .split('\n')
      .filter(line => line === runId).length
    return auditRace({ status, entries, answers, effects: count }).map(
      fault =>
        `${fault}: ${JSON.stringify(answers.map(({ command, refused }) => [command, refused]))} ${runId} ${entries.map(({ type }) => type).join(' ')}`,
    )
  }

  async function approve(runId: string): Promise<void> {
    const request = (await store.read(runId)).find(entry => entry.type === 'approval.requested')?.request
    await runtime.decide(runId, request?.approvalId ?? '', { decision: { type: 'approved' } }).catch(() => {})
  }
})
}

async function send(racer: ChildProcess, jobs: readonly RaceJob[]): Promise<readonly RaceAnswer[]> {
  const answer = said(racer)
  racer.send(jobs)
  return (await answer) as readonly RaceAnswer[]
}

async function said(racer: ChildProcess): Promise<unknown> {
  const [answer] = (await once(racer, 'message')) as [unknown]
  return answer
}
