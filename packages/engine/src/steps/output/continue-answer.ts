import { userMessage } from '@parley/core'
import type { RunContext } from '../../run-context/run-context.ts'

const CONTINUE_PROMPT =
  'Your answer was cut off by its length. Continue exactly where it stopped, without repeating anything and without a remark about it.'

/** Asks the model to continue a truncated answer. */
export function continueAnswer({ journal }: RunContext): void {
  journal.record({ type: 'message.appended', source: 'continue', message: userMessage(CONTINUE_PROMPT) })
}
