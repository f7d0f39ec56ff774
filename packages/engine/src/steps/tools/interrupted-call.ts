import type { Reconciliation, ToolCall, ToolOutcome } from '@parley/core'
import type { CallState } from '../../journal/run-state.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { CallNotes } from './call-notes.ts'
import { invokeHandler } from './invoke-handler.ts'
import type { PreparedTool } from '../../agent/tools/prepare-tool.ts'
import { refuseCall, toOutcome, withValidOutput } from './call-outcome.ts'

/** Whether a crash hid the outcome of a call that must not run twice. */
export function isInterrupted({ attempts, effect }: Pick<CallState, 'attempts' | 'effect'>): boolean {
  return attempts > 0 && effect === 'once'
}

export interface InterruptedCall {
  readonly prepared: PreparedTool
  readonly call: ToolCall
  readonly input: unknown
  readonly notes: CallNotes
}

/** Asks the tool for the outcome of a call that a crash interrupted. `undefined` if the call had no effect and may run. */
export async function reconcileCall(
  run: RunContext,
  { prepared, call, input, notes }: InterruptedCall,
): Promise<ToolOutcome | undefined> {
  const { tool, validateOutput } = prepared
  const { name, reconcile } = tool
  const unknown = refuseCall({ code: 'tool-interrupted', tool: name })
  if (reconcile === undefined) return unknown
  const asking = { ...tool, execute: reconcile }
  const handled = await invokeHandler(run, { tool: asking, call, input, approved: false, notes })
  if (handled.type === 'refused' && handled.error.code === 'tool-cancelled') return refuseCall(handled.error)
  const found = handled.type === 'returned' ? (handled.value as Reconciliation | undefined) : undefined
  if (found?.type === 'not-done') return undefined
  if (found?.type !== 'done') return unknown
  const result = { type: 'returned', value: found.output } as const
  return validateOutput === undefined ? toOutcome(result, name) : withValidOutput(result, validateOutput, name)
}
