import { ZERO_USAGE } from '@parley/core'
import type { ActionOf } from '../../journal/decide.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { toParts } from '../../run-context/view/group-messages.ts'
import { planEdit } from '../../run-context/view/plan-edit.ts'

/**
 * Removes from the context what a tool call asked to remove. Records the edit even if an earlier edit left nothing to
 * remove.
 */
export async function editContext(run: RunContext, action: ActionOf<'edit-context'>): Promise<void> {
  const { callId, name, edit } = action.edit
  const view = run.prompt.editableView
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
