import { ParleyError, type ContextView } from '@parley/core'
import { exceededWindow } from '@parley/core/context'
import type { RunView } from './run-view.ts'

/**
 * Checks that the messages to send keep the bounds of the policy and the model's window.
 * @throws ParleyError `context-unsatisfiable` if the policy can remove nothing more, and the view exceeds a bound.
 */
export function checkView(view: ContextView & Pick<RunView, 'policy'>): void {
  const { policy } = view
  const exceeded = policy.unsatisfied === undefined ? exceededWindow(view) : policy.unsatisfied(view)
  if (exceeded === undefined) return
  const messages = view.groups.flatMap(group => group.messages)
  throw new ParleyError({
    code: 'context-unsatisfiable',
    policy: policy.name,
    ...exceeded,
    tokens: view.tokens(),
    messages: messages.length,
    fixedTokens: view.fixedTokens,
    longest: Math.max(0, ...messages.map(message => view.count([message]))),
  })
}
