import { dotTest, literalTest, setTest, type PatternFlags } from './character-set.ts'
import { readClass } from './parse-class.ts'
import { readEscape } from './parse-escape.ts'
import { EMPTY, PatternFault, type PatternNode } from './pattern-node.ts'
import type { PatternReader } from './pattern-reader.ts'

/** Largest number of groups inside each other. Deeper groups could overflow the stack. */
const MAX_DEPTH = 200
const FLAGS = /\(\?([ims]+)(?:-([ims]+))?([:)])/y

/**
 * Parses an ECMAScript pattern with Unicode semantics. Also accepts what other dialects write: `(?i)`, `(?P<name>`, `\A`, `\Z`,
 * needless escapes such as `\_`, and braces that repeat nothing.
 * @throws PatternFault
 */
export function parsePattern(reader: PatternReader): PatternNode {
  const node = readChoice(reader, { ignoreCase: false, dotAll: false, multiline: false }, 0)
  if (!reader.done) throw new PatternFault("has a ')' without '('")
  return node
}

function readChoice(reader: PatternReader, given: PatternFlags, depth: number): PatternNode {
  if (depth > MAX_DEPTH) throw new PatternFault(`nests groups more than ${MAX_DEPTH} deep`)
  let flags = given
  const options: PatternNode[] = []
  let parts: PatternNode[] = []
  while (!reader.done && reader.next !== ')') {
    const change = reader.next === '(' ? reader.match(FLAGS) : undefined
    if (change?.[3] === ')') flags = changeFlags(flags, change)
    else if (change !== undefined) parts.push(readGroup(reader, changeFlags(flags, change), depth))
    else if (reader.take('|')) {
      options.push(toSequence(parts))
      parts = []
    } else parts.push(readTerm(reader, flags, depth))
  }
  if (options.length === 0) return toSequence(parts)
  return { type: 'choice', options: [...options, toSequence(parts)] }
}

function readTerm(reader: PatternReader, flags: PatternFlags, depth: number): PatternNode {
  if (reader.take('^')) return { type: 'anchor', anchor: flags.multiline ? 'line-start' : 'start' }
  if (reader.take('$')) return { type: 'anchor', anchor: flags.multiline ? 'line-end' : 'end' }
  return readRepeat(reader, readAtom(reader, flags, depth))
}

function readAtom(reader: PatternReader, flags: PatternFlags, depth: number): PatternNode {
  if (reader.take('(')) return readOpened(reader, flags, depth)
  if (reader.take('.')) return { type: 'character', test: dotTest(flags) }
  if (reader.take('[')) return { type: 'character', test: setTest(readClass(reader), flags.ignoreCase) }
  if (reader.take('\\')) return readEscape(reader, flags)
  const found = reader.readCodePoint()
  if (found === 0x2a || found === 0x2b || found === 0x3f)
    throw new PatternFault(`has a '${String.fromCodePoint(found)}' that repeats nothing`)
  return { type: 'character', test: literalTest(found, flags) }
}

/** Reads a group after its `(`. */
function readOpened(reader: PatternReader, flags: PatternFlags, depth: number): PatternNode {
  const look = reader.match(/\?(<?)([=!])/y)
  if (look !== undefined) {
    const part = readGroup(reader, flags, depth)
    return { type: 'look', ahead: look[1] === '', negated: look[2] === '!', part }
  }
  if (reader.match(/\?:|\?P?<[\p{ID_Start}_$][\p{ID_Continue}$]*>/uy) === undefined && reader.next === '?')
    throw new PatternFault(`has the unsupported group (${reader.rest(4)}`)
  return readGroup(reader, flags, depth)
}

function readGroup(reader: PatternReader, flags: PatternFlags, depth: number): PatternNode {
  const node = readChoice(reader, flags, depth + 1)
  if (!reader.take(')')) throw new PatternFault("has a '(' without ')'")
  return node
}

/** Reads a quantifier. Greedy and lazy ones match the same texts. */
function readRepeat(reader: PatternReader, part: PatternNode): PatternNode {
  const found = /[*+?{]/.test(reader.next) ? reader.match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y) : undefined
  if (found === undefined) return part
  if (/[*+?]/.test(reader.next) || reader.match(/\{\d+(?:,\d*)?\}/y) !== undefined)
    throw new PatternFault('repeats a repetition')
  const [, sign, least, comma, most] = found
  const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
  const max = sign === undefined ? maxOf(min, comma, most) : sign === '?' ? 1 : Infinity
  if (max < min) throw new PatternFault('has a repetition whose numbers are out of order')
  if (max === 0) return EMPTY
  // Repeating the test of a position changes nothing.
  if (part.type === 'look' || part.type === 'anchor') return min === 0 ? EMPTY : part
  return { type: 'repeat', part, min, max }
}

function maxOf(min: number, comma: string | undefined, most: string | undefined): number {
  if (comma === undefined) return min
  return most === '' ? Infinity : Number(most)
}

function changeFlags(flags: PatternFlags, [, on = '', off = '']: RegExpExecArray): PatternFlags {
  const state = (letter: string, before: boolean): boolean => (on.includes(letter) || before) && !off.includes(letter)
  return {
    ignoreCase: state('i', flags.ignoreCase),
    dotAll: state('s', flags.dotAll),
    multiline: state('m', flags.multiline),
  }
}

function toSequence(parts: readonly PatternNode[]): PatternNode {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : { type: 'sequence', parts }
}
