import type { Anchor } from './pattern-node.ts'

/**
 * The bits that describe a position in a text. The bits from `FIRST_LOOK` on are the results of the pattern's
 * look-arounds.
 */
const START = 1
const END = 2
const WORD_BEFORE = 4
const WORD_AFTER = 8
const BREAK_BEFORE = 16
const BREAK_AFTER = 32
/** Bit of the first look-around. */
export const FIRST_LOOK = 64
/** Largest number of look-arounds, because their results must fit into the bits of a small integer. */
export const MOST_LOOKS = 20

/** Tests the context of a position. */
export interface ContextTest {
  /** The bits that it reads. */
  readonly bits: number
  readonly holds: (context: number) => boolean
}

export const ANCHOR_TESTS: Readonly<Record<Anchor, ContextTest>> = {
  start: { bits: START, holds: context => (context & START) !== 0 },
  end: { bits: END, holds: context => (context & END) !== 0 },
  'line-start': { bits: START | BREAK_BEFORE, holds: context => (context & (START | BREAK_BEFORE)) !== 0 },
  'line-end': { bits: END | BREAK_AFTER, holds: context => (context & (END | BREAK_AFTER)) !== 0 },
  'word-edge': { bits: WORD_BEFORE | WORD_AFTER, holds: isWordEdge },
  'inside-word': { bits: WORD_BEFORE | WORD_AFTER, holds: context => !isWordEdge(context) },
}

/** Returns the bits of a position, without those of look-arounds. */
export function contextAt(text: string, at: number): number {
  let context = 0
  if (at === 0) context = START
  else {
    const before = text.charCodeAt(at - 1)
    if (isWord(before)) context |= WORD_BEFORE
    else if (isBreak(before)) context |= BREAK_BEFORE
  }
  if (at === text.length) return context | END
  const after = text.charCodeAt(at)
  if (isWord(after)) context |= WORD_AFTER
  else if (isBreak(after)) context |= BREAK_AFTER
  return context
}

function isWordEdge(context: number): boolean {
  return ((context & WORD_BEFORE) === 0) !== ((context & WORD_AFTER) === 0)
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x20_28 || code === 0x20_29
}
