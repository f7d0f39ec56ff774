import { escaped } from './character-set.ts'
import { readSetEscape } from './parse-escape.ts'
import { PatternFault } from './pattern-node.ts'
import type { PatternReader } from './pattern-reader.ts'

/** Reads a character class after its `[`. Returns the text between the brackets in one spelling. */
export function readClass(reader: PatternReader): string {
  const negated = reader.take('^') ? '^' : ''
  const members: string[] = []
  while (!reader.take(']')) {
    if (reader.done) throw new PatternFault("has a '[' without ']'")
    if (reader.match(/\[:\w+:\]/y) !== undefined) throw new PatternFault('has a POSIX class such as [:alpha:]')
    const low = readMember(reader)
    // A hyphen at the end, or next to a set such as \d, is a character.
    const isRange = typeof low === 'number' && reader.next === '-' && reader.rest(2) !== '-]'
    if (!isRange) {
      members.push(toText(low))
      continue
    }
    reader.take('-')
    if (reader.done) throw new PatternFault("has a '[' without ']'")
    const high = readMember(reader)
    if (typeof high === 'string') members.push(toText(low), String.raw`\-`, high)
    else if (high < low) throw new PatternFault('has a range whose ends are out of order')
    else members.push(`${toText(low)}-${toText(high)}`)
  }
  return negated + members.join('')
}

function readMember(reader: PatternReader): number | string {
  if (!reader.take('\\')) return reader.readCodePoint()
  // Inside a class, \b is the backspace character.
  return reader.take('b') ? 8 : readSetEscape(reader)
}

function toText(member: number | string): string {
  return typeof member === 'string' ? member : escaped(member)
}
