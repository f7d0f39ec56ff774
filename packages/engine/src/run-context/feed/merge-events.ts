import { GrowingText, type RunEvent } from '@parley/core'

/**
 * A merged delta of this length is not merged further, so a slow reader gets a long backlog in pieces. V8 keeps a whole
 * answer in memory as long as a slice of it is used. A server encodes one piece at a time, so a reader that stops costs
 * the copy of one piece, not of the whole answer.
 */
const MERGED_CHARS = 24 * 1024

type Delta = Extract<RunEvent, { type: 'text.delta' | 'reasoning.delta' | 'tool-call.delta' }>

/** Key of the text of a merged delta. Only the channel that merged the delta has the event, so it may change the text. */
const TEXT = Symbol('text')

interface Merged {
  [TEXT]?: MergedText
}

interface MergedText {
  /** The text of the whole answer, or a text that only this event uses (`isOwn`). */
  readonly growing: GrowingText
  readonly isOwn: boolean
  /** Where the event's text begins in `growing`, and where it ends. */
  readonly from: number
  to: number
}

/** Returns the text that a run's answer has so far. `undefined` if it is not known. */
export type AnswerOf = (runId: string) => GrowingText | undefined

/**
 * Merges neighbouring events for a reader that fell behind. Merged deltas lose only their timing. The reader sees the newest
 * progress of a call.
 * @param answerOf A merged delta refers to this text instead of a copy. It must end with `next`.
 */
export function mergeEvents(last: RunEvent, next: RunEvent, answerOf: AnswerOf): RunEvent | undefined {
  if (last.runId !== next.runId) return undefined
  if (last.type === 'tool.progress' && next.type === 'tool.progress')
    return last.callId === next.callId ? next : undefined
  if (!isDelta(last) || !isDelta(next) || last.type !== next.type) return undefined
  if (last.type === 'tool-call.delta' && next.type === 'tool-call.delta' && last.callId !== next.callId)
    return undefined
  return mergeDeltas(last, next, next.type === 'tool-call.delta' ? undefined : answerOf(next.runId))
}

function isDelta(event: RunEvent): event is Delta {
  return event.type === 'text.delta' || event.type === 'reasoning.delta' || event.type === 'tool-call.delta'
}

function mergeDeltas(last: Delta & Merged, next: Delta, answer: GrowingText | undefined): RunEvent | undefined {
  const merged = last[TEXT]
  if (merged === undefined) return beginMerge(last, next, answer)
  if (merged.to - merged.from >= MERGED_CHARS) return undefined
  const text = textOf(next)
  if (merged.isOwn) merged.growing.add(text)
  else if (merged.growing !== answer || answer.length !== merged.to + text.length) return undefined
  merged.to += text.length
  return Object.assign(last, { seq: next.seq, at: next.at })
}

/** Copies the event, because other readers have it too. Its text is joined when it is read. */
function beginMerge(last: Delta, next: Delta, answer: GrowingText | undefined): Delta {
  const text = joinedText(textOf(last), textOf(next), answer)
  const copy: Delta & Merged = { ...last, seq: next.seq, at: next.at }
  const field = last.type === 'tool-call.delta' ? 'delta' : 'text'
  Object.defineProperty(copy, field, MERGED)
  return Object.defineProperty(copy, TEXT, { value: text })
}

/** All merged deltas share one getter, because V8 keeps an object with a getter of its own until it collects the whole heap. */
const MERGED: PropertyDescriptor & ThisType<Merged> = {
  get() {
    const { growing, from, to } = this[TEXT] as MergedText
    return growing.slice(from, to)
  },
  enumerable: true,
}

function joinedText(first: string, second: string, answer: GrowingText | undefined): MergedText {
  const length = first.length + second.length
  // A shorter answer began after the first delta.
  if (answer !== undefined && answer.length >= length)
    return { growing: answer, isOwn: false, from: answer.length - length, to: answer.length }
  const growing = new GrowingText()
  growing.add(first)
  growing.add(second)
  return { growing, isOwn: true, from: 0, to: length }
}

function textOf(event: Delta): string {
  return event.type === 'tool-call.delta' ? event.delta : event.text
}
