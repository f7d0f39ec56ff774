import { userMessage } from '@parley/core'
import { handOver } from '../agents/hand-over.ts'
import type { Action } from '../journal/decide.ts'
import { limitNote } from '../journal/limits.ts'
import { CONTINUE_PROMPT } from '../journal/truncation.ts'
import { callModel } from '../model/call-model.ts'
import { checkOutput } from '../output/check-output.ts'
import { renewTools } from '../tools/open-tools.ts'
import { runTools } from '../tools/run-tools.ts'
import type { RunScope } from './run-scope.ts'

/** Does what was decided, as far as it keeps the run going, and records what came of it. */
export async function perform(
  run: RunScope,
  action: Exclude<Action, { type: 'end' | 'await-decision' | 'compact' }>,
): Promise<void> {
  const { journal } = run
  switch (action.type) {
    case 'call-model': {
      const renewing = renewTools(run)
      if (renewing !== undefined) await renewing
      // What led here is on disk before anything is spent on it.
      await journal.commit()
      for (const body of await callModel(run, action)) journal.record(body)
      break
    }
    case 'run-tools':
      await runTools(run, action.calls)
      break
    case 'hand-over':
      await handOver(run, action.handoff)
      break
    case 'check-output':
      for (const body of await checkOutput(run)) journal.record(body)
      break
    case 'continue-answer':
      journal.record({ type: 'message.appended', source: 'continue', message: userMessage(CONTINUE_PROMPT) })
      break
    case 'take-queued':
      for (const { kind: source, message, queueId } of action.inputs) {
        journal.record({ type: 'message.appended', source, message, queueId })
      }
      break
    case 'reach-limit':
      journal.record({ type: 'limit.reached', hit: action.hit })
      break
    case 'note-limit':
      journal.record({ type: 'message.appended', source: 'note', message: userMessage(limitNote(action.hit)) })
      break
  }
}
