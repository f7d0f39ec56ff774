import type { ContextView, MessageGroup } from '../hooks/context-view.ts'
import { editNoteLabel } from './edit-note.ts'
import { isSystemGroup } from './is-system-group.ts'

/** Bounds of `dropOldest`. */
export interface DropOptions {
  /** Largest number of messages that stay. */
  readonly maxMessages: number
  /** Largest number of tokens in the whole call. */
  readonly maxTokens: number
  /** Number of newest messages that stay even if they exceed the bounds. */
  readonly minMessages: number
  /** Whether system messages of the conversation stay. */
  readonly keepSystem: boolean
}

/**
 * Returns the newest groups that fit, or `undefined` if all groups fit. Groups that the model has not read yet always
 * stay. If the cut separates a user's request from the answers to it, the request stays, before the other groups.
 */
export function dropOldest(view: ContextView, options: DropOptions): readonly MessageGroup[] | undefined {
  const { maxMessages, minMessages, keepSystem } = options
  // If the whole view is within the limit, so is every part of it, and no group must be counted.
  const maxTokens = view.exceeds(options.maxTokens) ? options.maxTokens : Infinity
  const { groups } = view
  const tokensOf = (group: MessageGroup): number => (maxTokens === Infinity ? 0 : view.count(group.messages))
  const pinned = keepSystem ? groups.filter(isSystemGroup) : []
  let messages = pinned.length
  let tokens = maxTokens === Infinity ? 0 : view.fixedTokens
  for (const group of pinned) tokens += tokensOf(group)
  const unread = unreadFrom(groups)
  let first = groups.length
  let head = first
  let firstHead: number | undefined
  for (let index = groups.length - 1; index >= 0; index--) {
    const group = groups[index] as MessageGroup
    if (keepSystem && isSystemGroup(group)) continue
    const mustStay = first === groups.length || index >= unread || messages < minMessages
    messages += group.messages.length
    tokens += tokensOf(group)
    if (!mustStay && (messages > maxMessages || tokens > maxTokens)) break
    if (head >= index) head = requestBefore(groups, index)
    const heading = head === index ? undefined : groups[head]
    const isOver = messages + (heading === undefined ? 0 : 1) > maxMessages
    if (!mustStay && (isOver || tokens + (heading === undefined ? 0 : tokensOf(heading)) > maxTokens)) continue
    first = index
    firstHead = head
  }
  const left = groups.filter((group, index) => index >= first || index === firstHead || pinned.includes(group))
  return left.length === groups.length ? undefined : left
}

/**
 * Returns the index of the first group that the model has not read: the results of its last calls, or the newest
 * message.
 */
function unreadFrom(groups: readonly MessageGroup[]): number {
  const answer = groups.findLastIndex(({ messages }) => messages[0]?.role === 'assistant')
  const hasResults = (groups[answer]?.messages.length ?? 0) > 1
  return hasResults ? answer : groups.length - 1
}

/** Returns the index of the user's request that the group at `index` answers, or -1 without a request. */
function requestBefore(groups: readonly MessageGroup[], index: number): number {
  for (let at = index; at >= 0; at--) {
    const [message] = groups[at]?.messages ?? []
    if (message?.role === 'user' && editNoteLabel(message) === undefined) return at
  }
  return -1
}
