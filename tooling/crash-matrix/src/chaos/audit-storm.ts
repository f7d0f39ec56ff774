import { messageText, type Entry, type RunRecord, type Store } from '@parley/core'
import { isValidTranscript, loadRun } from '@parley/engine/journal'
import { HELPERS, KINDS, MAX_TURNS, type Kind } from './kinds.ts'
import type { LedgerLine } from './ledger.ts'
import type { SentCommand } from './traffic.ts'

/** The records of a storm: the store, the ledger and the commands that were sent. */
export interface StormEvidence {
  readonly store: Store
  readonly ledger: readonly LedgerLine[]
  readonly sent: readonly SentCommand[]
}

export interface StormVerdict {
  /** Broken promises, in words. */
  readonly faults: readonly string[]
  /** How many runs of each kind ended in each way. */
  readonly endings: ReadonlyMap<string, number>
  readonly runs: number
  readonly effects: number
  /** Calls of `once` tools whose outcome a crash hid. */
  readonly interrupted: number
}

/** Tokens of one model call. */
const TOKENS = 15

/** Codes that may refuse a command. */
const REFUSALS: ReadonlySet<string> = new Set([
  'no answer',
  'approval-decided',
  'client-call-settled',
  'run-ended',
  'run-busy',
  'run-unknown',
  'session-busy',
])

/** Checks the promises of the product against the journals of all runs and what happened outside of them. */
export async function auditStorm({ store, ledger, sent }: StormEvidence): Promise<StormVerdict> {
  const faults: string[] = []
  const endings = new Map<string, number>()
  const records = await store.runs({ scope: 'default', limit: Number.MAX_SAFE_INTEGER })
  const effects = countBy(ledger.flatMap(line => (line.type === 'effect' ? [line.key] : [])))
  const calls = countBy(ledger.flatMap(line => (line.type === 'call' ? [line.tag] : [])))
  const journals = new Map<string, readonly Entry[]>()
  for (const record of records) journals.set(record.runId, await store.read(record.runId))
  let interrupted = 0
  for (const record of records) {
    const run: AuditedRun = { record, entries: journals.get(record.runId) ?? [], effects, calls }
    const found = [...checkEnd(run), ...(await checkTranscript(store, run)), ...checkEffects(run), ...checkSpend(run)]
    faults.push(...found.map(fault => `${fault}: ${describeRun(run)}`))
    interrupted += run.entries.filter(
      entry => entry.type === 'tool.ended' && entry.error?.code === 'tool-interrupted',
    ).length
    const ending = `${record.agent.padEnd(22)} ${endingOf(run)}`
    endings.set(ending, (endings.get(ending) ?? 0) + 1)
  }
  faults.push(...checkCommands(sent, journals))
  const total = [...effects.values()].reduce((sum, count) => sum + count, 0)
  return { faults, endings, runs: records.length, effects: total, interrupted }
}

interface AuditedRun {
  readonly record: RunRecord
  readonly entries: readonly Entry[]
  readonly effects: ReadonlyMap<string, number>
  readonly calls: ReadonlyMap<string, number>
}

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function kindOf({ agent }: RunRecord): Kind | undefined {
  return [...KINDS, ...HELPERS].find(({ name }) => name === agent)
}

function endingOf({ record, entries }: AuditedRun): string {
  const last = entries.at(-1)
  if (last?.type !== 'run.ended' || last.outcome.status !== 'failed') return record.status
  const { error } = last.outcome
  return `failed: ${error.code}${'limit' in error ? ` (${error.limit})` : ''}`
}

function describeRun({ record, entries }: AuditedRun): string {
  return `${record.runId} (${record.status}) ${entries.map(({ type }) => type).join(' ')}`
}

/**
 * Checks that the run has ended or is suspended for a decision. Only a poison run, or a run that crashed too often, is
 * allowed to fail.
 */
function checkEnd(run: AuditedRun): readonly string[] {
  const { record, entries } = run
  const last = entries.at(-1)
  const kind = kindOf(record)
  if (record.status === 'suspended' && kind?.isLeft === true)
    return last?.type === 'run.suspended' && last.approvals.length > 0 ? [] : ['a suspended run has no pending request']
  if (last?.type !== 'run.ended') return [`the run is stuck as ${record.status}`]
  if (last.outcome.status !== record.status) return [`the record says ${record.status}`]
  if (last.outcome.status !== 'failed' || isPoison(record)) return []
  const { error } = last.outcome
  return error.code === 'limit-reached' ? [] : [`a sound run failed with ${error.code}`]
}

function isUnreadable(entries: readonly Entry[] = []): boolean {
  const last = entries.at(-1)
  return last?.type === 'run.ended' && last.outcome.status === 'failed' && last.outcome.error.code === 'store-corrupt'
}

function isPoison({ agent }: RunRecord): boolean {
  return /kill|unwritable|unreadable|deep/.test(agent)
}

async function checkTranscript(store: Store, { record, entries }: AuditedRun): Promise<readonly string[]> {
  const state = await loadRun(store, record.runId)
  const messages = state.transcript.toArray()
  // An answer with open calls belongs to a suspended run until it is resumed.
  if (state.calls !== undefined) messages.pop()
  const gaps = entries.filter(({ seq }, index) => seq !== index + 1)
  return [
    ...(isValidTranscript(messages) ? [] : ['the transcript is invalid']),
    ...(gaps.length > 0 ? ['the journal has a gap'] : []),
  ]
}

function checkEffects({ record, entries, effects }: AuditedRun): readonly string[] {
  const faults: string[] = []
  const started = new Map(
    entries.flatMap(entry => (entry.type === 'tool.started' ? [[entry.callId, entry] as const] : [])),
  )
  for (const [callId, { effect, name }] of started) {
    const times = effects.get(`${record.runId}/${callId}`) ?? 0
    if (effect === 'once' && times > 1)
      faults.push(`the effect of the once call ${name} ${callId} happened ${times} times`)
  }
  for (const entry of entries) {
    const start = entry.type === 'tool.ended' ? started.get(entry.callId) : undefined
    if (
      entry.type !== 'tool.ended' ||
      entry.error !== undefined ||
      start === undefined ||
      entry.name.startsWith('help')
    )
      continue
    if (!effects.has(`${record.runId}/${entry.callId}`))
      faults.push(`${entry.name} ${entry.callId} is told as done and never happened`)
  }
  return faults
}

/**
 * Checks that the run made no more model calls than its limits and its resumes allow. The ledger also has the calls
 * that a crash kept out of the journal.
 */
function checkSpend({ record, entries, calls }: AuditedRun): readonly string[] {
  const { maxTurns = MAX_TURNS, maxTokens = 10_000 } = kindOf(record) ?? {}
  const input = entries.find(entry => entry.type === 'message.appended')
  const tag = input?.type === 'message.appended' ? messageText(input.message).replace(/^.*\[(.*)\].*$/s, '$1') : ''
  const limit = Math.min(maxTurns, Math.ceil(maxTokens / TOKENS))
  const resumes = entries.filter(({ type }) => type === 'run.resumed').length
  const spent = calls.get(tag) ?? 0
  return spent <= limit + resumes ? [] : [`${spent} model calls, although ${limit} and ${resumes} resumes allow less`]
}

/** Says which journals have an answer to the request, and where. */
function answersTo(requestId: string, journals: ReadonlyMap<string, readonly Entry[]>): string {
  const found = [...journals].flatMap(([runId, entries]) =>
    entries.some(entry => JSON.stringify(entry).includes(requestId))
      ? [`\n      ${runId}: ${entries.map(entry => describeAnswer(entry, requestId)).join(' ')}`]
      : [],
  )
  return found.join('')
}

function describeAnswer(entry: Entry, requestId: string): string {
  const { type } = entry
  if (type === 'tool.submitted' && entry.requestId === requestId)
    return `${type}(${JSON.stringify(entry.submission)}, command ${'commandId' in entry ? entry.commandId : 'none'})`
  if (type === 'approval.decided' && entry.approvalId === requestId) return `${type}(${entry.decision.type})`
  return type === 'run.resumed' ? `${type}(${entry.worker})` : type
}

function checkCommands(
  sent: readonly SentCommand[],
  journals: ReadonlyMap<string, readonly Entry[]>,
): readonly string[] {
  const faults: string[] = []
  const all = [...journals.values()].flat()
  const decided = new Map(
    all.flatMap(entry => (entry.type === 'approval.decided' ? [[entry.approvalId, entry.decision.type]] : [])),
  )
  const submitted = new Set(
    all.flatMap(entry => (entry.type === 'tool.submitted' ? [JSON.stringify(entry.submission)] : [])),
  )
  const accepted = new Set<string>()
  const has = (runId: string, type: Entry['type']): boolean =>
    journals.get(runId)?.some(entry => entry.type === type) === true
  for (const { command, refused } of sent) {
    const { type, runId } = command
    // A run that cannot be read takes no commands: it ends as failed, with a dead letter.
    if (type !== 'start' && isUnreadable(journals.get(runId))) continue
    if (refused !== undefined && !REFUSALS.has(refused)) faults.push(`${type} of ${runId} was refused with ${refused}`)
    if (refused !== undefined) continue
    if (type === 'start' && !journals.has(runId)) faults.push(`the run ${runId} was accepted and is lost`)
    if (type === 'cancel' && !has(runId, 'cancel.requested')) faults.push(`an accepted cancel of ${runId} was lost`)
    if (type === 'steer' && !has(runId, 'input.queued')) faults.push(`an accepted message for ${runId} was lost`)
    const key =
      command.type === 'decide'
        ? command.approvalId
        : command.type === 'submit'
          ? command.text.replace(/^.* of /, '')
          : undefined
    if (key !== undefined && accepted.has(key))
      faults.push(`two answers to the request ${key} of ${runId} were accepted${answersTo(key, journals)}`)
    if (key !== undefined) accepted.add(key)
    if (command.type === 'decide' && decided.get(command.approvalId) !== command.verdict)
      faults.push(`the accepted decision ${command.verdict} of ${runId} became ${decided.get(command.approvalId)}`)
    if (command.type === 'submit' && ![...submitted].some(text => text.includes(command.text)))
      faults.push(`an accepted result for ${runId} was lost`)
  }
  return faults
}
