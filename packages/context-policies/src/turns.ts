import type { Message, MessageGroup } from '@parley/core'
import { editNoteLabel, isSystemGroup } from '@parley/core/context'
import { summaryText } from './summary-message.ts'

/** A request, its answer and the results of the answer's calls. Each of them may be missing. */
export type Turn = readonly MessageGroup[]

/** Splits groups into turns. A turn ends with its answer, or before the next request. */
export function turnsOf(groups: readonly MessageGroup[]): Turn[] {
  const turns: Turn[] = []
  let open: MessageGroup[] = []
  const close = (): void => {
    if (open.length > 0) turns.push(open)
    open = []
  }
  for (const group of groups) {
    if (roleOf(group) === 'user' && open.some(other => roleOf(other) === 'user')) close()
    open.push(group)
    if (roleOf(group) === 'assistant') close()
  }
  close()
  return turns
}

/**
 * Returns how many of the newest turns contain messages that the model has not read yet. These turns can be neither
 * dropped nor summarized.
 */
export function unreadTurns(turns: readonly Turn[]): number {
  const answered = turns.findLastIndex(turn => turn.some(group => roleOf(group) === 'assistant'))
  const hasResults = turns[answered]?.some(({ messages }) => messages.length > 1) === true
  return hasResults ? turns.length - answered : Math.min(1, turns.length)
}

/**
 * Returns the user's request that the recent groups answer: the last message of the user among the groups before them.
 * `undefined` if the recent groups begin with a request.
 */
export function requestFor(recent: readonly MessageGroup[], before: readonly MessageGroup[]): MessageGroup | undefined {
  const first = recent.find(group => !isSystemGroup(group))
  if (first !== undefined && roleOf(first) === 'user') return undefined
  return before.findLast(({ messages: [message] }) => isFromUser(message))
}

/** Returns whether a user wrote the message. Summaries and edit notes are user messages too. */
function isFromUser(message: Message | undefined): boolean {
  return message?.role === 'user' && summaryText(message) === undefined && editNoteLabel(message) === undefined
}

function roleOf({ messages }: MessageGroup): string | undefined {
  return messages[0]?.role
}
