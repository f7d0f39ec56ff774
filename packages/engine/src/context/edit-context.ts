import { ZERO_USAGE } from '@parley/core'
import type { PendingEdit } from '../journal/run-state.ts'
import type { RunScope } from '../run-context/run-scope.ts'
import { toParts } from './group-messages.ts'
import { planEdit } from './plan-edit.ts'

/** Takes out of what is sent what a call has asked for, and records it: also when an edit before left nothing to take. */
export async function editContext(run: RunScope, { callId, name, edit }: PendingEdit): Promise<void> {
  const view = run.editedView
  await view.load()
  const after = planEdit(view, run.state, edit)
  const messages = after.flatMap(group => group.messages)
  run.journal.record({
    type: 'context.compacted',
    turn: run.state.turn + 1,
    policy: name,
    trigger: 'edit',
    callId,
    view: toParts(after),
    before: { messages: view.length, tokens: view.tokens() },
    after: { messages: messages.length, tokens: view.fixedTokens + view.count(messages) },
    usage: ZERO_USAGE,
  })
}
