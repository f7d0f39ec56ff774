import { messageText, toolCallsOf, userMessage, type Message } from '@parley/core'
import type { Prompt } from './to-prompt.ts'

export interface TrimOptions {
  /** Maximum number of characters in a request. */
  readonly budget: number
  /** Summarizes dropped messages. */
  readonly summarize: (dropped: readonly Message[]) => Promise<string>
}

const PART_CHARACTERS = 200
const MOST_SUMMARY = 5000
const FEWEST_KEPT = 2

/**
 * If a prompt exceeds its budget, replaces its oldest messages with a summary. Leading system messages and the two
 * newest other messages stay. Tool calls and their results stay together.
 */
export async function trimContext(
  { system, messages }: Prompt,
  { budget, summarize }: TrimOptions,
): Promise<readonly Message[]> {
  const fixed = system.reduce((sum, part) => sum + part.text.length + 'system'.length + 4, 0)
  const leading = messages.findIndex(message => message.role !== 'system')
  const head = messages.slice(0, Math.max(leading, 0))
  const groups = groupsOf(messages.slice(head.length))
  let size = fixed + charactersOf(messages)
  if (size <= budget) return messages
  const target = budget - Math.min(MOST_SUMMARY, Math.ceil(budget * 0.05))
  let count = messages.length - head.length
  const dropped: Message[] = []
  while (size > target) {
    const [oldest] = groups
    if (oldest === undefined || count - oldest.length < FEWEST_KEPT) break
    groups.shift()
    dropped.push(...oldest)
    size -= charactersOf(oldest)
    count -= oldest.length
  }
  if (dropped.length === 0) return messages
  const summary = userMessage(`[Context summary: ${await summarize(dropped)}]`)
  return [...head, summary, ...groups.flat()]
}

/** Makes a short excerpt of dropped messages. */
export function excerptOf(dropped: readonly Message[], budget: number): string {
  const most = Math.max(40, Math.min(MOST_SUMMARY, Math.ceil(budget * 0.05)))
  const lines = dropped.flatMap(message => {
    const text = messageText(message).replaceAll(/\s+/g, ' ').trim()
    if (text === '') return []
    const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
    return message.role === 'user'
      ? `User asked: ${short}`
      : message.role === 'assistant'
        ? `Assistant answered: ${short}`
        : []
  })
  const text = lines.join(' ')
  if (text === '') return `${dropped.length} earlier messages`
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Groups messages that must stay together: an answer with tool calls, and their results. */
function groupsOf(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (message.role === 'tool' && last !== undefined) last.push(message)
    else groups.push([message])
  }
  return groups
}

function charactersOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + charactersIn(message), 0)
}

function charactersIn(message: Message): number {
  const base = message.role.length + 4
  if (message.role === 'system') return base + message.content.length
  const calls = message.role === 'assistant' ? toolCallsOf(message) : []
  const parts = message.content.reduce((sum: number, part) => {
    if (part.type === 'text') return sum + part.text.length
    return part.type === 'file' ? sum + PART_CHARACTERS : sum
  }, 0)
  return base + parts + (calls.length === 0 ? 0 : JSON.stringify(calls).length)
}
