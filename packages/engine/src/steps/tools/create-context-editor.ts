import { messageText, ParleyError, toolCallsOf, type ContextEditor, type ContextStep } from '@parley/core'
import type { RunContext } from '../../run-context/run-context.ts'
import type { CallNotes } from './call-notes.ts'
import { isReachable, stepsToCut } from '../../run-context/view/plan-edit.ts'
import { runSteps, type RunStep } from '../../run-context/view/run-steps.ts'

/** Lets a handler edit the context of its run. The edit is recorded with the result of the call. */
export function createContextEditor(run: RunContext, tool: string, notes: CallNotes): ContextEditor {
  const fail = (detail: string): never => {
    throw new ParleyError({ code: 'tool-failed', tool, detail })
  }
  return {
    steps: () => runSteps(run.prompt.editableView.groups, run.state).map(toContextStep),
    async edit(edit) {
      const view = run.prompt.editableView
      await view.load()
      if (notes.over) fail('the call has ended')
      if (notes.edit !== undefined) fail('a call makes one edit, and this one has made it')
      const steps = runSteps(view.groups, run.state)
      if (edit.type === 'revert' && !isReachable(steps, edit.step)) {
        const known = steps.map(({ step }) => step).join(', ')
        fail(
          `there is no step ${edit.step} to go back to; ${known === '' ? 'none but 0 is left' : `it may be 0, ${known}`}.`,
        )
      }
      const cut = stepsToCut(view, run.state, edit)
      if (cut.length === 0) fail('there is no step of this run that it would take out.')
      notes.edit = edit
      return { steps: cut.length, tokens: view.count(cut.flatMap(({ group }) => group.messages)) }
    },
  }
}

function toContextStep({ step, group }: RunStep): ContextStep {
  const [message] = group.messages
  const calls = message?.role === 'assistant' ? toolCallsOf(message) : []
  return {
    step,
    text: message === undefined ? '' : messageText(message),
    calls: calls.map(call => ({ name: call.name, arguments: call.arguments })),
  }
}
