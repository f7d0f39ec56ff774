import { messageText, toolCallsOf, type AssistantMessage, type Message, type UserMessage } from '@parley/core'
import type { Summarizer } from './summarizer.ts'
import { summaryText } from './summary-message.ts'
import { cutEnd } from './text/cut-end.ts'

const MOST_PER_LINE = 200
const USER = 'User: '

/**
 * Summarizes without a model: one shortened line for each user message and each answer. If the lines do not fit, the
 * digest keeps the newest user lines first, and states how many lines it left out.
 */
export const turnDigest: Summarizer = ({ messages, maxTokens, focus, count }) => {
  const lines = messages.flatMap(linesOf)
  const heading = focus === undefined ? '' : `Focus: ${focus}\n`
  const tokensOf = (text: string): number => count([{ role: 'system', content: text }])
  let left = maxTokens - tokensOf(`${heading}[${lines.length} lines left out]`)
  const kept = new Set<number>()
  // User lines before answers, and the newest first.
  const byWorth = [...lines.keys()].toReversed().toSorted((a, b) => Number(isUser(lines[b])) - Number(isUser(lines[a])))
  for (const index of byWorth) {
    left -= tokensOf(lines[index] ?? '')
    if (left < 0) break
    kept.add(index)
  }
  const texts = lines.filter((_, index) => kept.has(index))
  if (kept.size < lines.length) texts.unshift(`[${lines.length - kept.size} lines left out]`)
  return heading + texts.join('\n')
}

function linesOf(message: Message): readonly string[] {
  const before = summaryText(message)
  if (before !== undefined) return before.split('\n')
  if (message.role === 'user') return [userLine(message)]
  return message.role === 'assistant' ? [answerLine(message)] : []
}

function isUser(line: string | undefined): boolean {
  return line?.startsWith(USER) === true
}

function userLine(message: UserMessage): string {
  const files = message.content.filter(part => part.type === 'file').length
  return USER + oneLine([files === 0 ? '' : `(${files} files)`, messageText(message)].join(' '))
}

function answerLine(message: AssistantMessage): string {
  const names = new Map<string, number>()
  for (const { name } of toolCallsOf(message)) names.set(name, (names.get(name) ?? 0) + 1)
  const used = [...names].map(([name, times]) => (times === 1 ? name : `${name} ${times} times`)).join(', ')
  return `Assistant: ${oneLine([used === '' ? '' : `(used ${used})`, messageText(message)].join(' '))}`
}

function oneLine(text: string): string {
  return cutEnd(text.replaceAll(/\s+/g, ' ').trim(), MOST_PER_LINE)
}
