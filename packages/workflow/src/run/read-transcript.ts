import { describeError, messageText, toolCallsOf, type Message, type ToolMessage } from '@parley/core'
import { APPROVAL_TIMED_OUT } from '@parley/engine/journal'
import type { StepFailure } from '../definition/workflow.ts'
import { STEP_TOOLS } from '../compile/plan.ts'
import { isObject } from '../template/json.ts'
import type { CallOutcome } from './call-outcome.ts'
import { callMarkOf, markedFailure } from './step-mark.ts'

/** The progress of a run, read from its transcript. */
export interface Progress {
  /** The message that started the run. */
  readonly input: string
  /** Outcomes of finished calls, by step id. */
  readonly outcomes: ReadonlyMap<string, CallOutcome>
  /** Fingerprint of the definition that made the run's calls. `undefined` before the first call. */
  readonly definition: string | undefined
  /** Number of answers in which earlier runs of the session made calls. */
  readonly before: number
}

/** Reads the outcomes of a run's own calls, and skips those of other runs. */
export function readTranscript(messages: readonly Message[], run: string): Progress {
  const outcomes = new Map<string, CallOutcome>()
  const steps = new Map<string, string>()
  let input = ''
  let definition: string | undefined
  let before = 0
  for (const message of messages) {
    if (message.role === 'assistant') {
      const calls = toolCallsOf(message)
      const marks = calls.map(call => callMarkOf(call.providerData))
      const own = marks.find(mark => mark?.run === run)
      if (own === undefined) before += calls.length === 0 ? 0 : 1
      else {
        definition ??= own.definition
        for (const [index, call] of calls.entries()) steps.set(call.callId, marks[index]?.step ?? '')
      }
    } else if (message.role === 'user') {
      if (definition === undefined) input = messageText(message)
    } else if (message.role === 'tool') {
      const step = steps.get(message.callId)
      if (step !== undefined) outcomes.set(step, outcomeOf(message, step))
    }
  }
  return { input, outcomes, definition, before }
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
