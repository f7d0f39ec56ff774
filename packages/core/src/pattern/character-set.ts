import { PatternFault, type CodePointTest } from './pattern-node.ts'

/** Flags of a part of a pattern. */
export interface PatternFlags {
  readonly ignoreCase: boolean
  /** `.` also matches line breaks. */
  readonly dotAll: boolean
  /** `^` and `$` also match at line breaks. */
  readonly multiline: boolean
}

/** Tests one given character. */
export function literalTest(codePoint: number, { ignoreCase }: PatternFlags): CodePointTest {
  if (!ignoreCase) return candidate => candidate === codePoint
  return setTest(escaped(codePoint), true)
}

/** Tests for `.`. */
export function dotTest({ dotAll }: PatternFlags): CodePointTest {
  if (dotAll) return () => true
  return codePoint => codePoint !== 10 && codePoint !== 13 && codePoint !== 0x20_28 && codePoint !== 0x20_29
}

/**
 * Tests the members of a character class. `source` is the text between the brackets. The platform's own expression decides, which
 * knows Unicode properties and case folding. It sees one character at a time, so it cannot backtrack.
 * @throws PatternFault if `source` is invalid.
 */
export function setTest(source: string, ignoreCase: boolean): CodePointTest {
  const key = `${ignoreCase ? 'i' : ''}:${source}`
  let test = known.get(key)
  if (test === undefined) {
    test = compileSet(source, ignoreCase)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, test)
  }
  return test
}

const known = new Map<string, CodePointTest>()
const MOST_KNOWN = 500

function compileSet(source: string, ignoreCase: boolean): CodePointTest {
  let expression: RegExp
  try {
    expression = new RegExp(`^[${source}]$`, ignoreCase ? 'iu' : 'u')
  } catch {
    throw new PatternFault(`has the invalid character class [${source}]`)
  }
  // 0: not tested yet, 1: member, 2: not a member.
  const ascii = new Uint8Array(128)
  return codePoint => {
    const found = codePoint < 128 ? ascii[codePoint] : 0
    if (found !== 0) return found === 1
    const isMember = expression.test(String.fromCodePoint(codePoint))
    if (codePoint < 128) ascii[codePoint] = isMember ? 1 : 2
    return isMember
  }
}

/** Writes a code point for a character class. */
export function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`
}
