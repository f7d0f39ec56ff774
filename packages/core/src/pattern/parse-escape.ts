import { literalTest, setTest, type PatternFlags } from './character-set.ts'
import { PatternFault, type Anchor, type PatternNode } from './pattern-node.ts'
import type { PatternReader } from './pattern-reader.ts'

const ANCHORS: ReadonlyMap<string, Anchor> = new Map<string, Anchor>([
  ['b', 'word-edge'],
  ['B', 'inside-word'],
  // Python and Rust: the start and the end of the text.
  ['A', 'start'],
  ['Z', 'end'],
  ['z', 'end'],
])
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
])

/** Reads an escape outside a character class, after its backslash. */
export function readEscape(reader: PatternReader, flags: PatternFlags): PatternNode {
  const anchor = ANCHORS.get(reader.next)
  if (anchor !== undefined) {
    reader.readCodePoint()
    return { type: 'anchor', anchor }
  }
  if (/[1-9k]/.test(reader.next)) throw new PatternFault('has a back reference, which cannot be matched in linear time')
  const found = readSetEscape(reader)
  return {
    type: 'character',
    test: typeof found === 'string' ? setTest(found, flags.ignoreCase) : literalTest(found, flags),
  }
}

/** Reads an escape that is valid inside a class: the code point, or the text of a set such as `\d`. */
export function readSetEscape(reader: PatternReader): number | string {
  const set = reader.match(/[dDsSwW]|[pP]\{[\w=]{1,60}\}/y)
  if (set !== undefined) return `\\${set[0]}`
  const code = reader.match(/u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})/y)
  if (code !== undefined) return joinSurrogates(reader, Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16))
  const control = reader.match(/c([A-Za-z])/y)?.[1]
  if (control !== undefined) return control.charCodeAt(0) % 32
  if (reader.match(/0(?!\d)/y) !== undefined) return 0
  const named = CONTROLS.get(reader.next)
  const character = reader.readCodePoint()
  if (named !== undefined) return named
  // A needless escape, such as \_ or \", means its character. An unknown letter means something else in each dialect.
  if (/[A-Za-z\d]/.test(String.fromCodePoint(character)))
    throw new PatternFault(`has the unknown escape \\${String.fromCodePoint(character)}`)
  return character
}

/** Joins two escapes that form a surrogate pair: `\uD83D\uDE00` is one character. */
function joinSurrogates(reader: PatternReader, code: number): number {
  if (code > 0x10_ff_ff) throw new PatternFault('has an escape beyond Unicode')
  if (code < 0xd8_00 || code > 0xdb_ff) return code
  const low = reader.match(/\\u([dD][c-fC-F][\da-fA-F]{2})/y)?.[1]
  return low === undefined ? code : 0x1_00_00 + ((code - 0xd8_00) << 10) + (Number.parseInt(low, 16) - 0xdc_00)
}
