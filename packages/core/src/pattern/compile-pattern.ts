import { Automaton } from './automaton.ts'
import { buildProgram, checkSize, type Program } from './build-program.ts'
import { nativePaths } from './native-paths.ts'
import { parsePattern } from './parse-pattern.ts'
import { PatternReader } from './pattern-reader.ts'
import { contextAt, FIRST_LOOK } from './position-context.ts'
import { PatternFault, type PatternNode } from './pattern-node.ts'
import { spend, type Work } from './work.ts'

/** Returns whether a pattern matches anywhere in a text. @throws OutOfSteps */
export type PatternTest = (text: string, work: Work) => boolean

const MOST_CHARACTERS = 20_000
/**
 * Largest number of characters that the platform's backtracking engine may have to read. If it may need more, the
 * automaton matches.
 */
const MOST_NATIVE_READS = 100_000

/**
 * Compiles a pattern that may come from outside. The platform's backtracking engine can take exponential time. So it
 * matches only if it is certainly fast for the pattern and the text. Otherwise an automaton matches in linear time.
 * @throws PatternFault
 */
export function compilePattern(pattern: string): PatternTest {
  if (pattern.length > MOST_CHARACTERS) throw new PatternFault(`is longer than ${MOST_CHARACTERS} characters`)
  const node = parsePattern(new PatternReader(pattern))
  checkSize(node)
  let search: PatternTest | undefined
  const linear: PatternTest = (text, work) => (search ??= createSearch(node))(text, work)
  const native = nativeOf(pattern)
  if (native === undefined) return linear
  const isAnchored = startsAtStart(node)
  const { factor, degree } = nativePaths(node)
  return (text, work) => {
    const length = text.length + 1
    const reads = factor * length ** (isAnchored ? degree + 1 : degree + 2)
    if (reads > MOST_NATIVE_READS) return linear(text, work)
    spend(work, 10 + (reads >> 4))
    return native.test(text)
  }
}

/** Returns the pattern as a regular expression of the platform. `undefined` if the pattern is only valid in another dialect. */
function nativeOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

function createSearch(node: PatternNode): PatternTest {
  const { instructions, start, looks } = buildProgram(node)
  const automaton = new Automaton(instructions, start, !startsAtStart(node))
  const bits = bitsOf(instructions)
  const lookers = looks.map(look => ({ ...look, automaton: new Automaton(instructions, look.start, true) }))
  return (text, work) => {
    const tables: Uint8Array[] = []
    const contextOf = (at: number): number => {
      let context = contextAt(text, at)
      for (let look = 0; look < tables.length; look++) if (tables[look]?.[at] === 1) context |= FIRST_LOOK << look
      return context & bits
    }
    const way = { contextOf: bits === 0 ? undefined : contextOf, work }
    for (const looker of lookers) {
      const table = new Uint8Array(text.length + 1)
      scan(looker.automaton, text, { ...way, backwards: looker.ahead, onMatch: at => void (table[at] = 1) })
      tables.push(table)
    }
    return scan(automaton, text, { ...way, backwards: false, onMatch: () => true })
  }
}

interface Scan {
  /** Returns the context of a position. `undefined` if the pattern tests no context. */
  readonly contextOf: ((at: number) => number) | undefined
  readonly work: Work
  readonly backwards: boolean
  /** Called at each position where a match ends. The scan stops if it returns `true`. */
  readonly onMatch: (at: number) => true | void
}

/** Returns whether the scan was stopped. */
function scan(automaton: Automaton, text: string, { contextOf, work, backwards, onMatch }: Scan): boolean {
  spend(work, 5 + (text.length >> (contextOf === undefined ? 3 : 2)))
  const last = backwards ? 0 : text.length
  let state = automaton.initial
  let at = text.length - last
  for (;;) {
    const stop = automaton.stop(state, contextOf === undefined ? 0 : contextOf(at), work)
    if (stop.accepts && onMatch(at) === true) return true
    if (at === last || automaton.isDead(stop)) return false
    const codePoint = backwards ? codePointBefore(text, at) : (text.codePointAt(at) ?? 0)
    at += (codePoint > 0xff_ff ? 2 : 1) * (backwards ? -1 : 1)
    state = automaton.next(stop, codePoint, work)
  }
}

function codePointBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  if (code < 0xdc_00 || code > 0xdf_ff || at < 2) return code
  const whole = text.codePointAt(at - 2) ?? code
  return whole > 0xff_ff ? whole : code
}

/** Whether every match begins at the start of the text. */
function startsAtStart(node: PatternNode): boolean {
  if (node.type === 'anchor') return node.anchor === 'start'
  if (node.type === 'sequence') return node.parts[0] !== undefined && startsAtStart(node.parts[0])
  return node.type === 'choice' && node.options.every(startsAtStart)
}

function bitsOf(instructions: Program['instructions']): number {
  return instructions.reduce((bits, item) => (item.type === 'test' ? bits | item.test.bits : bits), 0)
}
