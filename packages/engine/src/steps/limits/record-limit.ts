import { userMessage } from '@parley/core'
import { limitNote } from '../../agent/limits.ts'
import type { ActionOf } from '../../journal/decide.ts'
import type { RunContext } from '../../run-context/run-context.ts'

export function reachLimit({ journal }: RunContext, { hit }: ActionOf<'reach-limit'>): void {
  journal.record({ type: 'limit.reached', hit })
}

export function noteLimit({ journal }: RunContext, { hit }: ActionOf<'note-limit'>): void {
  journal.record({ type: 'message.appended', source: 'note', message: userMessage(limitNote(hit)) })
}
