import { describeError, messageText, type Entry, type EntryOf } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { RUN_ARGUMENT } from '../flags/run-flags.ts'
import { withServerFlag } from '../flags/server-flag.ts'
import { openRuns, placeOf, type PlaceFlags } from '../remote/open-runs.ts'
import { oneLine } from '../render/one-line.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { readRun } from '../store/read-run.ts'

interface TraceFlags extends PlaceFlags {
  readonly json?: boolean
}

/** Defines the command `parley trace [RUN]`. */
export function defineTraceCommand(command: Command, terminal: Terminal): void {
  command
    .description('Prints the journal of a run, entry by entry, with the time since its start.')
    .argument('[run]', RUN_ARGUMENT, 'last')
  withDatabaseFlag(withServerFlag(command, ['json']))
    .option('--json', 'print every entry as one line of JSON')
    .action(async (wanted: string, flags: TraceFlags) => {
      await using reader = await openRuns(flags)
      const { record, entries } = await readRun(reader, wanted)
      if (flags.json === true) {
        for (const entry of entries) terminal.out(`${JSON.stringify(entry)}\n`)
        return
      }
      const { runId, agent, status, sessionId, startedAt } = record
      terminal.out(
        `run ${runId} · agent ${agent} · ${status} · ${new Date(startedAt).toISOString()}\nsession ${sessionId}\n\n`,
      )
      for (const entry of entries) terminal.out(`${lineOf(entry, startedAt, terminal)}\n`)
      if (status === 'running')
        terminal.out(`\nThe run has not ended. Resume it: ${programName(command)} resume ${runId}${placeOf(flags)}\n`)
    })
  withExamples(command, [
    ['trace', 'the journal of the newest run'],
    ['trace 01a2b3c4 --json', 'of another run, one line of JSON for each entry'],
    ['trace --server https://agent.example', 'of the newest run on a server'],
  ])
}

function lineOf(entry: Entry, startedAt: number, terminal: Terminal): string {
  const seq = String(entry.seq).padStart(4)
  const time = `+${entry.at - startedAt} ms`.padStart(11)
  const head = `${seq} ${time}  ${entry.type.padEnd(17)}`
  return `${terminal.style('dim', head)} ${oneLine(summaryOf(entry), (terminal.columns ?? 140) - head.length - 1)}`
}

function summaryOf(entry: Entry): string {
  switch (entry.type) {
    case 'run.started':
      return `${entry.model}${entry.origin === undefined ? baseOf(entry) : `, repeats ${entry.origin}`}`
    case 'run.resumed':
      return `by ${entry.worker}`
    case 'message.appended': {
      const { message, source } = entry
      const calls = message.role === 'assistant' ? message.content.filter(part => part.type === 'tool-call') : []
      const asks = calls.map(call => `→ ${call.name} ${call.arguments}`).join(' ')
      return `${source}: ${[messageText(message), asks].filter(text => text !== '').join(' ')}`
    }
    case 'input.queued':
      return `${entry.kind}: ${messageText(entry.message)}`
    case 'input.filtered':
      return `${entry.source}, ${entry.filter}: ${entry.verdict}, ${entry.detail}`
    case 'instructions.evaluated':
      return `${entry.agent}: ${entry.text.length} characters`
    case 'output.accepted':
      return JSON.stringify(entry.value)
    case 'output.rejected':
      return entry.issues.map(({ path, message }) => `${path === '' ? 'the value' : path} ${message}`).join('; ')
    case 'input.dropped':
      return `the queue is full: ${entry.queueId}`
    case 'answer.discarded':
      return `turn ${entry.turn}: cut off, model called again`
    case 'request.kept':
      return `turn ${entry.turn}, ${entry.model}, ${messagesIn(entry)} messages and ${entry.tools.length} tools`
    case 'model.called':
      return `turn ${entry.turn}, ${entry.finish}, ${entry.usage.input} in + ${entry.usage.output} out, ${entry.durationMs} ms`
    case 'model.failed':
    case 'run.failed':
      return describeError(entry.error)
    case 'tool.started':
      return `${entry.name} ${JSON.stringify(entry.input)}${entry.attempt > 1 ? ` (attempt ${entry.attempt})` : ''}`
    case 'tool.ended':
      return `${entry.name}, ${entry.durationMs} ms: ${messageText(entry.message)}`
    case 'approval.requested':
      return entry.request.prompt
    case 'approval.decided':
      return `${entry.decision.type}${entry.by === undefined ? '' : ` by ${entry.by.id}`}`
    case 'tool.requested':
      return `${entry.call.name} ${JSON.stringify(entry.call.input)}: waits for the client`
    case 'tool.submitted':
      return submissionOf(entry.submission)
    case 'agent.started':
      return `${entry.agent}, run ${entry.childRunId}`
    case 'agent.suspended':
      return `${pendingOf(entry)}, run ${entry.childRunId}`
    case 'agent.ended':
      return `${entry.outcome.status}, ${entry.turns} turns, ${entry.usage.input} in + ${entry.usage.output} out: ${entry.text}`
    case 'agent.changed':
      return `${entry.from} → ${entry.to}${entry.task === undefined ? '' : `: ${entry.task}`}`
    case 'context.compacted': {
      const { policy, trigger, before, after, error } = entry
      const failed = error === undefined ? '' : `; ${describeError(error)}`
      return `${policy} (${trigger}): ${before.messages} messages to ${after.messages}${failed}`
    }
    case 'run.suspended':
      return entry.reason === 'shutdown' ? entry.reason : pendingOf(entry)
    case 'cancel.requested':
      return entry.reason.kind
    case 'limit.reached':
      return `${entry.hit.limit}: ${entry.hit.value} of ${entry.hit.max}`
    case 'run.ended':
      return entry.outcome.status
  }
}

function pendingOf({ approvals, clientCalls = [] }: EntryOf<'run.suspended' | 'agent.suspended'>): string {
  const names = (calls: readonly { readonly name: string }[]): string => calls.map(({ name }) => name).join(', ')
  return [
    ...(approvals.length === 0 ? [] : [`approval pending: ${names(approvals)}`]),
    ...(clientCalls.length === 0 ? [] : [`waits for the client: ${names(clientCalls)}`]),
  ].join('; ')
}

function submissionOf(submission: EntryOf<'tool.submitted'>['submission']): string {
  if (submission.type === 'timed-out') return 'the client submitted no result in time'
  const text = submission.content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join(' ')
  return `${submission.isError ? 'failed by the client' : 'by the client'}: ${text}`
}

function messagesIn({ view }: EntryOf<'request.kept'>): number {
  return view.reduce((sum, part) => sum + (part.type === 'kept' ? part.to - part.from : part.messages.length), 0)
}

function baseOf({ base, relation }: EntryOf<'run.started'>): string {
  if (base === undefined) return ''
  if (relation === 'compaction') return `, compacts the session of ${base.runId}`
  return relation === 'branch' ? `, branches off ${base.runId} at ${base.seq}` : `, continues ${base.runId}`
}
