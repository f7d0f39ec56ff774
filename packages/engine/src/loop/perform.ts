import { userMessage } from '@parley/core'
import { handOver } from '../steps/hand-over/hand-over.ts'
import type { Action } from '../journal/decide.ts'
import { compactSession } from '../context/compact-context.ts'
import { editContext } from '../context/edit-context.ts'
import { limitNote } from '../journal/limits.ts'
import { CONTINUE_PROMPT } from '../agent/truncation.ts'
import { callModel } from '../steps/model/call-model.ts'
import { checkOutput } from '../steps/output/check-output.ts'
import { renewTools } from '../run-context/open-tools.ts'
import { runTools } from '../steps/tools/run-tools.ts'
import type { RunScope } from '../run-context/run-scope.ts'

/** Does what was decided, as far as it keeps the run going, and records what came of it. Undefined when that is done. */
export function perform(
  run: RunScope,
  action: Exclude<Action, { type: 'end' | 'await-decision' | 'compact' }>,
): Promise<void> | undefined {
  const { journal } = run
  switch (action.type) {
    case 'call-model': {
      const renewing = renewTools(run)
      return renewing === undefined ? callModel(run, action) : renewing.then(() => callModel(run, action))
    }
    case 'run-tools':
      return runTools(run, action.calls)
    case 'edit-context':
      return editContext(run, action.edit)
    case 'hand-over':
      return handOver(run, action.handoff)
    case 'check-output':
      return checkOutput(run).then(bodies => bodies.forEach(body => journal.record(body)))
    case 'continue-answer':
      journal.record({ type: 'message.appended', source: 'continue', message: userMessage(CONTINUE_PROMPT) })
      break
    case 'take-queued':
      for (const { kind: source, message, queueId } of action.inputs) {
        journal.record({ type: 'message.appended', source, message, queueId })
      }
      break
    case 'compact-session':
      return compactSession(run, action.turn)
    case 'reach-limit':
      journal.record({ type: 'limit.reached', hit: action.hit })
      break
    case 'note-limit':
      journal.record({ type: 'message.appended', source: 'note', message: userMessage(limitNote(action.hit)) })
      break
  }
  return undefined
}
