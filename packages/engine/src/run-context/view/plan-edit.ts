import type { ContextEdit, ContextView, MessageGroup } from '@parley/core'
import type { RunState } from '../../journal/run-state.ts'
import { editNote, withoutFaded } from './edit-note.ts'
import { placeOf } from './group-messages.ts'
import { runSteps, type RunStep } from './run-steps.ts'

type Sent = Pick<ContextView, 'groups' | 'count'>
type Log = Pick<RunState, 'transcript' | 'context'>

/** The steps that an edit removes from what is sent. May be empty. */
export function stepsToCut(sent: Sent, log: Log, edit: ContextEdit): readonly RunStep[] {
  const steps = runSteps(sent.groups, log)
  if (edit.type === 'revert') return isReachable(steps, edit.step) ? steps.filter(({ step }) => step > edit.step) : []
  let tokens = 0
  const first = steps.findLastIndex(({ group }, index) => {
    tokens += sent.count(group.messages)
    // At least one step is removed: both sides of the comparison are estimates.
    return tokens > edit.tokens && index < steps.length - 1
  })
  return steps.slice(first + 1)
}

/** Whether this step is still sent. */
export function isReachable(steps: readonly RunStep[], target: number): boolean {
  return target === 0 || steps.some(({ step }) => step === target)
}

/**
 * Returns the messages that are sent after the edit: all user messages, and the remaining groups as a whole, so that no
 * call loses its result.
 */
export function planEdit(sent: Sent, log: Log, edit: ContextEdit): readonly MessageGroup[] {
  const cut = new Set(stepsToCut(sent, log, edit).map(({ group }) => group))
  if (cut.size === 0) return sent.groups
  const note = editNote(edit)
  const place = sent.groups.findIndex(group => cut.has(group))
  const left = sent.groups.flatMap((group, index) => {
    const noted = note !== undefined && index === place ? [note] : []
    return cut.has(group) ? noted : [group]
  })
  return withoutFaded(left, group => placeOf(group) === undefined)
}
