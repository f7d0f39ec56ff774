import { cutText } from '@parley/core'

/** The task and the answers that a judge compares. */
export interface Judged {
  readonly task: string
  readonly answers: readonly string[]
}

const LAST_LINES = 80

/**
 * Shortens the task and the answers until they have at most `max` characters together. The first step keeps the last 80 lines
 * of a text. The second keeps its first and last paragraph, and the third its beginning and end. Each step shortens the task
 * before the answers, and treats all answers alike.
 */
export function fitJudged(judged: Judged, max: number): Judged {
  let fitted = judged
  for (const shorten of [lastLines, outerParagraphs]) {
    if (lengthOf(fitted) <= max) return fitted
    fitted = { ...fitted, task: shorten(judged.task) }
    if (lengthOf(fitted) <= max) return fitted
    fitted = { ...fitted, answers: judged.answers.map(shorten) }
  }
  return cut(fitted, max)
}

function lengthOf({ task, answers }: Judged): number {
  return answers.reduce((sum, { length }) => sum + length, task.length)
}

function lastLines(text: string): string {
  const lines = text.split('\n')
  return lines.length <= LAST_LINES ? text : ['[…]', ...lines.slice(-LAST_LINES)].join('\n')
}

function outerParagraphs(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter(paragraph => paragraph.trim() !== '')
  return paragraphs.length <= 2 ? text : [paragraphs[0], '[…]', paragraphs.at(-1)].join('\n\n')
}

function cut({ task, answers }: Judged, max: number): Judged {
  const share = Math.floor(max / (answers.length + 1))
  const spoken = lengthOf({ task: '', answers })
  const shorter = cutText(task, Math.max(share, max - spoken))
  let room = max - shorter.length
  const cuts = new Map<number, string>()
  // The shortest answers first: the others get the room they leave.
  const order = answers
    .map((_, index) => index)
    .toSorted((a, b) => (answers[a] ?? '').length - (answers[b] ?? '').length)
  for (const [done, index] of order.entries()) {
    const text = cutText(answers[index] ?? '', Math.floor(room / (order.length - done)))
    cuts.set(index, text)
    room -= text.length
  }
  return { task: shorter, answers: answers.map((_, index) => cuts.get(index) ?? '') }
}
