import type { Message, MessageGroup } from '@parley/core'
import { noteLabel } from '../run-context/view/edit-note.ts'
import { summaryText } from './summary-message.ts'

/** A request, the answer to it and the results of its calls; any one of them may be missing. */
export type Turn = readonly MessageGroup[]

/** The groups as turns: one ends with its answer, or before the next request. */
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

/** Number of the first group the model has not read yet: the results of its last calls, or else the newest message. */
export function unreadFrom(groups: readonly MessageGroup[]): number {
  const answer = groups.findLastIndex(group => roleOf(group) === 'assistant')
  const hasResults = (groups[answer]?.messages.length ?? 0) > 1
  return hasResults ? answer : groups.length - 1
}

/** How many of the newest turns hold what the model has not read yet; these can be neither dropped nor summarised. */
export function unreadTurns(turns: readonly Turn[]): number {
  const answered = turns.findLastIndex(turn => turn.some(group => roleOf(group) === 'assistant'))
  const hasResults = turns[answered]?.some(({ messages }) => messages.length > 1) === true
  return hasResults ? turns.length - answered : Math.min(1, turns.length)
}

/** The request the recent groups work on, when it is not among them: the last one before. */
export function requestFor(recent: readonly MessageGroup[], before: readonly MessageGroup[]): MessageGroup | undefined {
  const first = recent.find(group => roleOf(group) !== 'system')
  if (first !== undefined && roleOf(first) === 'user') return undefined
  return before.findLast(({ messages: [message] }) => isSaid(message))
}

/** Whether a person said it: it stands in for nothing else. */
function isSaid(message: Message | undefined): boolean {
  return message?.role === 'user' && summaryText(message) === undefined && noteLabel(message) === undefined
}

/** Whether the group is an instruction said in the middle of the conversation. */
export function isSystem(group: MessageGroup): boolean {
  return roleOf(group) === 'system'
}

function roleOf({ messages }: MessageGroup): string | undefined {
  return messages[0]?.role
}
