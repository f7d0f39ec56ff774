import type { UnsatisfiedBound } from '../hooks/context-policy.ts'
import type { ContextView } from '../hooks/context-view.ts'
import { dropOldest } from './drop-oldest.ts'

/**
 * Returns the smaller of a policy's bound and the model's window, if the view exceeds it. A policy returns it from
 * `unsatisfied` once it can remove nothing more.
 * @param bound The policy's own bound. @default none
 */
export function exceededBound(
  view: ContextView,
  { bound, max = Infinity }: { readonly bound: string; readonly max?: number | undefined },
): UnsatisfiedBound | undefined {
  const { window = Infinity } = view
  const exceeded = max <= window ? { bound, max } : { bound: 'window', max: window }
  return view.exceeds(exceeded.max) ? exceeded : undefined
}

/** Returns the model's window if even the messages that always stay exceed it. The rule for policies without `unsatisfied`. */
export function exceededWindow(view: ContextView): UnsatisfiedBound | undefined {
  const exceeded = exceededBound(view, { bound: 'window' })
  if (exceeded === undefined) return undefined
  const options = { maxMessages: 0, maxTokens: 0, minMessages: 0, keepSystem: true }
  return dropOldest(view, options) === undefined ? exceeded : undefined
}
