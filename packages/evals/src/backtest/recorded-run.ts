import {
  messageText,
  ParleyError,
  toolCallsOf,
  type Cost,
  type Entry,
  type EntryOf,
  type Json,
  type Message,
  type RunRecord,
  type Store,
  type UserMessage,
} from '@parley/core'
import { loadRunMessages } from '@parley/engine/journal'
import { loadRunHistory, type RunHistory } from '../history/index.ts'

/** How a run went: before the change in the recorded run, and after it in the backtest. */
export interface RunSummary {
  readonly status: string
  /** Text of the last answer. */
  readonly text: string
  readonly output?: Json | undefined
  /** The model's answers in order, each with its text and the calls that it makes. */
  readonly answers: readonly string[]
  readonly cost?: Cost | undefined
  /** Milliseconds of all model calls, child runs included. */
  readonly modelMs: number
  readonly modelCalls: number
}

/** A run of the store, with all that its repetition needs. */
export interface RecordedRun {
  readonly record: RunRecord
  readonly started: EntryOf<'run.started'>
  readonly history: RunHistory
  readonly input: UserMessage
  /** The messages before the input. */
  readonly before: readonly Message[]
  readonly summary: RunSummary
}

/** Reads a run. @throws ParleyError if its journal is damaged or has no input. */
export async function loadRecordedRun(store: Store, record: RunRecord): Promise<RecordedRun> {
  const { runId } = record
  const history = await loadRunHistory(store, runId)
  const entries = history.runs[0]?.entries ?? []
  const [started] = entries
  checkOrder(entries, record)
  const message = entries.find(entry => entry.type === 'message.appended' && entry.source === 'input')
  if (started?.type !== 'run.started' || message?.type !== 'message.appended' || message.message.role !== 'user')
    throw new ParleyError({ code: 'internal', detail: `the journal of run '${runId}' has no input` })
  const located = await loadRunMessages(store, runId)
  const own = located.findIndex(each => each.runId === runId && (each.seq ?? 0) > 1)
  const before = located.slice(0, Math.max(own, 0)).map(each => each.message)
  return { record, started, history, input: message.message, before, summary: summarize(history, record.status) }
}

function checkOrder(entries: readonly Entry[], { runId, seq }: RunRecord): void {
  if (entries.length === seq && entries.every((entry, index) => entry.seq === index + 1)) return
  throw new ParleyError({ code: 'internal', detail: `the journal of run '${runId}' lacks entries` })
}

/** Sums a tree of runs up. */
export function summarize({ runs }: RunHistory, status: string): RunSummary {
  const [root] = runs
  const own = root?.entries ?? []
  const answers = own.flatMap(entry =>
    entry.type === 'message.appended' && entry.message.role === 'assistant' ? [entry.message] : [],
  )
  const calls = runs.flatMap(({ entries }) => entries.filter(entry => entry.type === 'model.called'))
  const output = own.findLast(entry => entry.type === 'output.accepted')
  const end = own.findLast(entry => entry.type === 'run.ended')
  const last = answers.at(-1)
  return {
    status,
    text: last === undefined ? '' : messageText(last),
    ...(output === undefined ? {} : { output: output.value }),
    answers: answers.map(answerLine),
    ...(end?.cost === undefined ? {} : { cost: end.cost }),
    modelMs: calls.reduce((sum, { durationMs }) => sum + durationMs, 0),
    modelCalls: calls.length,
  }
}

function answerLine(message: Message): string {
  if (message.role !== 'assistant') return ''
  const calls = toolCallsOf(message).map(({ name, arguments: text }) => `${name}(${text})`)
  return [messageText(message), ...calls].filter(part => part !== '').join(' → ')
}
