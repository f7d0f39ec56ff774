import { once } from 'node:events'
import { ParleyError, toErrorInfo, type Store } from '@parley/core'
import { createRuntime, type Runtime } from '@parley/engine'
import { payingAgents } from './paying-agents.ts'
import { openRaceStore } from './open-race-store.ts'
import type { Place } from './matrix-worker.ts'

/** A command of a race. `start` begins the run, and `watch` waits for the expiry of its request. */
export type RaceCommand = 'approve' | 'reject' | 'resume' | 'cancel' | 'steer' | 'start' | 'watch'

export interface RaceJob {
  readonly runId: string
  readonly commands: readonly RaceCommand[]
  /** When to send the commands, milliseconds since the epoch. */
  readonly at: number
}

export interface RaceAnswer {
  readonly runId: string
  readonly command: RaceCommand
  /** The code of the refusal. `undefined` for a command that was accepted. */
  readonly refused: string | undefined
}

interface Parts {
  readonly runtime: Runtime
  readonly store: Store
}

/** Sends the commands of each message at their times, and answers which of them were accepted. */
async function race(): Promise<void> {
  const place = JSON.parse(process.argv[2] ?? '') as Place
  await using store = await openRaceStore(place)
  await using runtime = createRuntime({ store, agents: payingAgents(process.argv[3] ?? ''), worker: String(process.pid) })
  process.send?.('ready')
  for (;;) {
    const [jobs] = (await once(process, 'message')) as [readonly RaceJob[] | 'end']
    if (jobs === 'end') break
    process.send?.(await Promise.all(jobs.flatMap(job => job.commands.map(command => answer({ runtime, store }, job, command)))))
  }
  process.disconnect()
}

async function answer({ runtime, store }: Parts, { runId, at }: RaceJob, command: RaceCommand): Promise<RaceAnswer> {
  try {
    await new Promise(resolve => setTimeout(resolve, Math.max(0, at - Date.now())))
    await perform({ runtime, store }, runId, command)
    return { runId, command, refused: undefined }
  } catch (error) {
    return { runId, command, refused: toErrorInfo(error).code }
  }
}

async function perform({ runtime, store }: Parts, runId: string, command: RaceCommand): Promise<unknown> {
  switch (command) {
    case 'approve':
      return runtime.decide(runId, await requestOf(store, runId), { decision: { type: 'approved' } })
    case 'reject':
      return runtime.decide(runId, await requestOf(store, runId), { decision: { type: 'rejected', reason: 'no' } })
    case 'resume':
      return runtime.resume(runId)
    case 'cancel':
      return begun(store, runId).then(() => runtime.cancel(runId))
    case 'steer':
      return begun(store, runId).then(() => runtime.steer(runId, 'and more'))
    case 'start':
      return runtime.run('busy', 'go', { runId })
    case 'watch':
      return runtime.resumeAll()
  }
}

/** Waits for the request for approval of a run. */
async function requestOf(store: Store, runId: string): Promise<string> {
  for (;;) {
    for (const entry of await store.read(runId)) {
      if (entry.type === 'approval.requested') return entry.request.approvalId
      // It was cancelled before its request.
      if (entry.type === 'run.ended') throw new ParleyError({ code: 'run-ended', runId })
    }
    await new Promise(setImmediate)
  }
}

async function begun(store: Store, runId: string): Promise<void> {
  while ((await store.run(runId)) === undefined) await new Promise(setImmediate)
}

await race()
