import {
  describeError,
  messageText,
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type ToolMessage,
} from '@parley/core'
import { APPROVAL_TIMED_OUT } from '@parley/engine/journal'
import type { StepFailure } from '../definition/workflow.ts'
import { STEP_TOOLS } from '../compile/plan.ts'
import { isObject } from '../template/json.ts'
import type { CallOutcome } from './call-outcome.ts'
import { callMarkOf, markedFailure } from './step-mark.ts'

/** The progress of a run, read from its transcript. */
export interface Progress {
  /** The message that started the run. */
  input: string
  /** Outcomes of finished calls, by step id. */
  readonly outcomes: Map<string, CallOutcome>
  /** Step ids of the run's calls, by call id. */
  readonly steps: Map<string, string>
  /** Fingerprint of the definition that made the run's calls. `undefined` before the first call. */
  definition: string | undefined
  /** Number of answers in which earlier runs of the session made calls. */
  before: number
  /** Number of messages that were read. */
  read: number
  /** The last message that was read. `undefined` before the first. */
  last: Message | undefined
}

export function createProgress(): Progress {
  return {
    input: '',
    outcomes: new Map(),
    steps: new Map(),
    definition: undefined,
    before: 0,
    read: 0,
    last: undefined,
  }
}

/**
 * Whether the transcript continues the one that was read. The engine keeps a message as one object and only appends, so the last
 * message that was read is enough: to compare all of them would make a turn cost more with each step.
 */
export function continues({ read, last }: Progress, messages: readonly Message[]): boolean {
  return messages[read - 1] === last
}

/** Reads the outcomes of a run's own calls from the messages that were not read yet, and skips those of other runs. */
export function readTranscript(progress: Progress, messages: readonly Message[], run: string): void {
  const { outcomes, steps } = progress
  for (let index = progress.read; index < messages.length; index++) {
    const message = messages[index] as Message
    if (message.role === 'assistant') readCalls(progress, message, run)
    else if (message.role === 'user') {
      if (progress.definition === undefined) progress.input = messageText(message)
    } else if (message.role === 'tool') {
      const step = steps.get(message.callId)
      if (step !== undefined) outcomes.set(step, outcomeOf(message, step))
    }
  }
  progress.read = messages.length
  progress.last = messages.at(-1)
}

function readCalls(progress: Progress, message: AssistantMessage, run: string): void {
  const calls = toolCallsOf(message)
  const marks = calls.map(call => callMarkOf(call.providerData))
  const own = marks.find(mark => mark?.run === run)
  if (own === undefined) {
    progress.before += calls.length === 0 ? 0 : 1
    return
  }
  progress.definition ??= own.definition
  for (const [index, call] of calls.entries()) progress.steps.set(call.callId, marks[index]?.step ?? '')
}

function outcomeOf(message: ToolMessage, step: string): CallOutcome {
  if (message.isError === true) return failedOutcome(message, step)
  const { structured, name } = message
  if (name !== STEP_TOOLS.run) {
    return { type: 'ok', value: structured === undefined ? messageText(message) : structured, failures: [] }
  }
  const { result = null, failures = [] } = isObject(structured) ? structured : {}
  return { type: 'ok', value: result, failures: failures as unknown as readonly StepFailure[] }
}

function failedOutcome(message: ToolMessage, step: string): CallOutcome {
  const marked = markedFailure(message, step)
  if (marked !== undefined) return { type: 'failed', failure: marked }
  const detail = messageText(message)
  if (message.name !== STEP_TOOLS.approval || !detail.startsWith(REFUSED)) {
    return { type: 'failed', failure: { step, code: 'tool-failed', detail } }
  }
  const reason = detail.slice(REFUSED.length)
  if (reason === APPROVAL_TIMED_OUT)
    return { type: 'failed', failure: { step, code: 'approval-timed-out', detail: reason }, decision: 'timed-out' }
  return { type: 'failed', failure: { step, code: 'approval-rejected', detail: reason }, decision: 'rejected' }
}

/** The start of the result text of a rejected call. */
const REFUSED = describeError({ code: 'tool-denied', tool: STEP_TOOLS.approval, reason: '' })
