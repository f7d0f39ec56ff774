import { messageText, userMessage, type CompactionRequest, type Message, type MessageGroup } from '@parley/core'
import { cutEnd } from '../text/cut-end.ts'
import type { Summarizer } from './summarizer.ts'

const HEADING = '[Summary of the conversation so far]'

export interface SummaryOptions {
  readonly summary: Summarizer
  readonly maxTokens: number
  readonly focus: string | undefined
}

/** The summary of these groups as a group of its own, of at most so many tokens. */
export async function summarized(
  request: CompactionRequest,
  groups: readonly MessageGroup[],
  { summary, maxTokens, focus }: SummaryOptions,
): Promise<MessageGroup> {
  const { ask, count, signal, model, window } = request
  const messages = groups.flatMap(group => group.messages)
  let text = await summary({ messages, maxTokens, focus, model, window, signal, ask, count })
  // Twice, because tokens do not spread evenly over a text.
  for (let round = 0; round < 2; round++) {
    const tokens = count([toMessage(text)])
    if (tokens > maxTokens) text = cutEnd(text, Math.floor((text.length * maxTokens * 0.9) / tokens))
  }
  return { messages: [toMessage(text)] }
}

/** The text of a message that is a summary; undefined for any other. */
export function summaryText(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = messageText(message)
  return text.startsWith(`${HEADING}\n`) ? text.slice(HEADING.length + 1) : undefined
}

function toMessage(text: string): Message {
  return userMessage(`${HEADING}\n${text}`)
}
