import { createRuntime } from '@parley/engine'
import { isValidTranscript } from '@parley/engine/journal'
import type { Entry, Store } from '@parley/core'
import type { SessionReport } from './matrix-worker.ts'

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

export interface Examined {
  /** How often each handler ran, by idempotency key. */
  readonly executions: ReadonlyMap<string, number>
  readonly undisturbed: string
  readonly expected: SessionReport
  readonly sessions: readonly string[]
  readonly killPoints: number
  readonly reports: readonly SessionReport[]
  /** Whether chance decides about the result, so that only the invariants are compared. @default false */
  readonly isRace?: boolean | undefined
}

/** Compares the sessions of processes that were killed with the undisturbed one. */
export async function examine(
  store: Store,
  { executions, undisturbed, expected, sessions, killPoints, reports, isRace = false }: Examined,
): Promise<Crashes> {
  const lost: string[] = []
  const duplicates: string[] = []
  let unknown = 0
  let repeated = 0
  const told = await callsOf(store, undisturbed)
  for (const call of told) if (executions.get(call.key) !== 1) duplicates.push(`${undisturbed}, ${call.name}`)
  duplicates.push(...(await clientFaults(store, undisturbed)))
  for (const [index, session] of sessions.entries()) {
    const report = reports[index]
    const calls = await callsOf(store, session)
    duplicates.push(...(await clientFaults(store, session)))
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
      report.error !== undefined ||
      (!isRace && report.status !== expected.status) ||
      (!isRace && comparable(report.transcript, hidden) !== comparable(expected.transcript, hidden))
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
    // The client executes these, so no handler here has an effect.
    const ofClient = new Set(entries.flatMap(clientCallsOf))
    for (const [callId, starts] of groupStarts(entries)) {
      const [first] = starts
      if (first === undefined || delegating.has(callId) || ofClient.has(callId) || isOwn(first.name)) continue
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

/** Runs of a session that did not end, invalid transcripts, and calls of the client that did not end exactly once. */
async function clientFaults(store: Store, sessionId: string): Promise<readonly string[]> {
  const faults: string[] = []
  const reader = createRuntime({ store })
  for (const { runId, status } of await store.runs({ scope: 'default', sessionId, limit: 100 })) {
    const report = (fault: string): unknown => faults.push(`${sessionId}, run ${runId}: ${fault}`)
    const entries = await store.read(runId)
    if (status === 'running' || status === 'suspended') report(`is ${status}`)
    if (!isValidTranscript(await reader.transcript(runId))) report('the transcript is invalid')
    const submitted = entries.flatMap(entry => (entry.type === 'tool.submitted' ? [entry.requestId] : []))
    if (new Set(submitted).size < submitted.length) report('a call has two results')
    for (const entry of entries) {
      if (entry.type !== 'tool.requested') continue
      const ends = entries.filter(each => each.type === 'tool.ended' && each.callId === entry.call.callId).length
      const isGiven = submitted.includes(entry.call.requestId)
      if (ends > 1 || (isGiven && ends === 0)) report(`the call ${entry.call.callId} ended ${ends} times`)
    }
  }
  return faults
}

function clientCallsOf(entry: Entry): readonly string[] {
  if (entry.type !== 'message.appended' || entry.message.role !== 'assistant') return []
  const calls = entry.message.content.filter(part => part.type === 'tool-call')
  return calls.flatMap(({ callId, execution }) => (execution === 'client' ? [callId] : []))
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

