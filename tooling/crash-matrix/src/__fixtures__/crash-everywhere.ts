import { readFileSync, writeFileSync } from 'node:fs'
import type { Entry, Store } from '@parley/core'
import type { Place, SessionReport, WorkOrder } from './matrix-worker.ts'
import type { DeathPoint } from './mortal-store.ts'
import { runWorker } from './run-worker.ts'

/** The number of concurrent processes. */
const WIDTH = 3

export interface Matrix {
  /** Path of the bundled worker. */
  readonly script: string
  readonly place: Place
  readonly effects: string
  /** A store on the database of `place`. */
  readonly store: Store
}

/** The result of one scenario whose process was killed before and after every append. */
export interface Crashes {
  readonly killPoints: number
  /** Runs that did not end, or ended with another result. */
  readonly lost: readonly string[]
  /** Handler executions that the journal does not show, and `once` handlers that ran twice. */
  readonly duplicates: readonly string[]
  /** Calls of `once` tools whose outcome a crash has hidden; the model received an error result for each. */
  readonly unknown: number
  /** Calls of `read` and `idempotent` tools that ran again. */
  readonly repeated: number
}

/**
 * Kills a process before and after every append of a scenario and resumes the runs in another process. Compares the
 * result with an undisturbed run.
 */
export async function crashEverywhere(matrix: Matrix, scenario: string): Promise<Crashes> {
  const { script, place, effects } = matrix
  writeFileSync(effects, '')
  const order = (rest: Pick<WorkOrder, 'sessions' | 'death'>): WorkOrder => ({ place, effects, scenario, ...rest })
  const undisturbed = `${scenario} undisturbed`
  const baseline = await runWorker(script, order({ sessions: [undisturbed] }))
  const expected = baseline.killed ? undefined : baseline.reports[0]
  if (expected === undefined || expected.error !== undefined) throw new Error(`${scenario}: ${expected?.error}`)
  const points = Array.from({ length: expected.appends }, (_, index) => index + 1).flatMap(append => [
    { append, side: 'before' as const },
    { append, side: 'after' as const },
  ])
  let killPoints = 0
  await inParallel(points, async death => {
    const end = await runWorker(script, order({ sessions: [sessionOf(scenario, death)], death }))
    // Calls that end at the same moment share an append, so a run can have fewer appends than the undisturbed one.
    if (end.killed) killPoints += 1
    else if (death.append < expected.appends - 2) throw new Error(`${sessionOf(scenario, death)}: the process was not killed`)
  })
  const sessions = points.map(death => sessionOf(scenario, death))
  const resumed = await runWorker(script, order({ sessions }))
  if (resumed.killed) throw new Error(`${scenario}: the resuming process was killed`)
  return examine(matrix, { undisturbed, expected, sessions, killPoints, reports: resumed.reports })
}

interface Examined {
  readonly undisturbed: string
  readonly expected: SessionReport
  readonly sessions: readonly string[]
  readonly killPoints: number
  readonly reports: readonly SessionReport[]
}

async function examine(
  { store, effects }: Matrix,
  { undisturbed, expected, sessions, killPoints, reports }: Examined,
): Promise<Crashes> {
  const executions = new Map<string, number>()
  for (const key of readFileSync(effects, 'utf8').split('\n')) executions.set(key, (executions.get(key) ?? 0) + 1)
  const lost: string[] = []
  const duplicates: string[] = []
  let unknown = 0
  let repeated = 0
  const told = await callsOf(store, undisturbed)
  for (const call of told) if (executions.get(call.key) !== 1) duplicates.push(`${undisturbed}, ${call.name}`)
  for (const [index, session] of sessions.entries()) {
    const report = reports[index]
    const calls = await callsOf(store, session)
    unknown += calls.filter(call => call.interrupted).length
    for (const call of calls) {
      const count = executions.get(call.key) ?? 0
      if (count > 1) repeated += 1
      const most = call.effect === 'once' ? Math.min(1, call.attempts) : call.attempts
      const least = call.interrupted ? 0 : 1
      if (count > most || count < least) duplicates.push(`${session}, ${call.name}: ${count} of ${least} to ${most}`)
    }
    const hidden = new Set(calls.flatMap(call => (call.interrupted ? [call.callId] : [])))
    if (
      report === undefined ||
      report.status !== expected.status ||
      comparable(report.transcript, hidden) !== comparable(expected.transcript, hidden)
    ) {
      lost.push(`${session}: ${report?.status} ${report?.error ?? comparable(report?.transcript ?? [], hidden)}`)
    }
  }
  return { killPoints, lost, duplicates, unknown, repeated }
}

interface ToldCall {
  readonly key: string
  readonly callId: string
  readonly name: string
  readonly effect: string
  /** The number of starts in the journal. */
  readonly attempts: number
  /** Whether the model received the error that the call's outcome is unknown. */
  readonly interrupted: boolean
}

/** Reads from the journals of a session the tool calls whose handler has an effect. */
async function callsOf(store: Store, sessionId: string): Promise<readonly ToldCall[]> {
  const calls: ToldCall[] = []
  for (const { runId } of await store.runs({ scope: 'default', sessionId, limit: 100 })) {
    const entries = await store.read(runId)
    const delegating = new Set(entries.flatMap(entry => (entry.type === 'agent.started' ? [entry.callId] : [])))
    for (const [callId, starts] of groupStarts(entries)) {
      const [first] = starts
      if (first === undefined || delegating.has(callId) || isOwn(first.name)) continue
      const ended = entries.find(entry => entry.type === 'tool.ended' && entry.callId === callId)
      const error = ended?.type === 'tool.ended' ? ended.error?.code : undefined
      const interrupted = error === 'tool-interrupted'
      const { name, effect } = first
      const key = `${runId}/${callId}`
      calls.push({ key, callId, name, effect, attempts: starts.length, interrupted })
    }
  }
  return calls
}

/** Returns whether a call belongs to the runtime or to a workflow, and so has no handler with an effect. */
function isOwn(tool: string): boolean {
  return tool.startsWith('transfer_to_') || tool.startsWith('step_')
}

function groupStarts(entries: readonly Entry[]): Map<string, Extract<Entry, { type: 'tool.started' }>[]> {
  const starts = new Map<string, Extract<Entry, { type: 'tool.started' }>[]>()
  for (const entry of entries) {
    if (entry.type === 'tool.started') starts.set(entry.callId, [...(starts.get(entry.callId) ?? []), entry])
  }
  return starts
}

/** Pattern of run ids, which differ between processes. */
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Returns a transcript as text, without ids and without the results of calls whose outcome is unknown. */
function comparable(transcript: readonly unknown[], hidden: ReadonlySet<string>): string {
  const text = JSON.stringify(transcript, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('role' in value) || !('callId' in value)) return value
    return hidden.has(String(value.callId)) ? { role: value.role, callId: value.callId } : value
  })
  return text.replaceAll(ID, 'ID')
}

function sessionOf(scenario: string, { append, side }: DeathPoint): string {
  return `${scenario}, killed ${side} append ${append}`
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      for (const item of rest) await work(item)
    }),
  )
}
