import { messageText, userMessage, type CompactionRequest, type Message, type MessageGroup } from '@parley/core'
import type { Summarizer } from './summarizer.ts'
import { cutEnd } from './text/cut-end.ts'

const HEADING = '[Summary of the conversation so far]'

export interface SummaryOptions {
  readonly summary: Summarizer
  readonly maxTokens: number
  readonly focus: string | undefined
}

/** Summarizes groups. Returns the summary as a group of one message, of at most `maxTokens` tokens. */
export async function summaryOf(
  request: CompactionRequest,
  groups: readonly MessageGroup[],
  { summary, maxTokens, focus }: SummaryOptions,
): Promise<MessageGroup> {
  const { ask, count, signal, model, window } = request
  const messages = groups.flatMap(group => group.messages)
  let text = await summary({ messages, maxTokens, focus, model, window, signal, ask, count })
  // Two rounds, because tokens are not spread evenly over a text.
  for (let round = 0; round < 2; round++) {
    const tokens = count([toMessage(text)])
    if (tokens > maxTokens) text = cutEnd(text, Math.floor((text.length * maxTokens * 0.9) / tokens))
  }
  return { messages: [toMessage(text)] }
}

/** Returns the text of a summary message, and `undefined` for every other message. */
export function summaryText(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = messageText(message)
  return text.startsWith(`${HEADING}\n`) ? text.slice(HEADING.length + 1) : undefined
}

/** Limits a summary to a quarter of the call's tokens, so that it does not fill the space that the compaction frees. */
export function summaryLimit(maxSummaryTokens: number, maxTokens: number): number {
  return Math.max(1, Math.min(maxSummaryTokens, Math.floor(maxTokens / 4)))
}

function toMessage(text: string): Message {
  return userMessage(`${HEADING}\n${text}`)
}
