import type { ContextView, MessageGroup } from '@parley/core'
import { noteLabel } from '../run-context/view/edit-note.ts'
import { isSystem, unreadFrom } from './turns.ts'

export interface DropOptions {
  readonly maxMessages: number
  readonly maxTokens: number
  /** Messages that stay even beyond the bounds. */
  readonly minMessages: number
  /** Whether system messages of the conversation stay wherever they are. */
  readonly keepSystem: boolean
}

/**
 * The newest groups that fit, as many as possible and at least what the model has not read yet; undefined when all of
 * them stay. Where the cut falls into the work on a request, the user's message that asked for it stays in front of what
 * is left of the work.
 */
export function dropOldest(view: ContextView, options: DropOptions): readonly MessageGroup[] | undefined {
  const { maxMessages, minMessages, keepSystem } = options
  // What all of it does not exceed, a part of it does not: then nothing has to be counted.
  const maxTokens = view.exceeds(options.maxTokens) ? options.maxTokens : Infinity
  const { groups } = view
  const tokensOf = (group: MessageGroup): number => (maxTokens === Infinity ? 0 : view.count(group.messages))
  const pinned = keepSystem ? groups.filter(isSystem) : []
  let messages = pinned.length
  let tokens = maxTokens === Infinity ? 0 : view.fixedTokens
  for (const group of pinned) tokens += tokensOf(group)
  const unread = unreadFrom(groups)
  let first = groups.length
  let head = first
  let firstHead: number | undefined
  for (let index = groups.length - 1; index >= 0; index--) {
    const group = groups[index] as MessageGroup
    if (keepSystem && isSystem(group)) continue
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

/** Where the request stands that the group at `index` belongs to; -1 when there is none. */
function requestBefore(groups: readonly MessageGroup[], index: number): number {
  for (let at = index; at >= 0; at--) {
    const [message] = groups[at]?.messages ?? []
    if (message?.role === 'user' && noteLabel(message) === undefined) return at
  }
  return -1
}
