import type { RunWordRow } from '../tables/store-tables.ts'

/** The words of a run in two numbers: each word sets one bit of each number. */
export type WordMarks = Pick<RunWordRow, 'mark_a' | 'mark_b'>

/** Bits of a safe integer, which all drivers accept. */
const BITS = 52

/**
 * Returns the marks of words. A run that has all of the words has all bits of their marks. The rows of a word have the marks of their runs,
 * so that a list by several words looks up only the runs that may match. Stores contain marks: the bits of a word never change.
 */
export function markWords(words: Iterable<string>): WordMarks {
  const a = new Set<number>()
  const b = new Set<number>()
  for (const word of words) {
    const hash = hashOf(word)
    a.add(hash % BITS)
    b.add(Math.floor(hash / BITS) % BITS)
  }
  return { mark_a: numberOf(a), mark_b: numberOf(b) }
}

function numberOf(bits: ReadonlySet<number>): number {
  let number = 0
  for (const bit of bits) number += 2 ** bit
  return number
}

/** FNV-1a of the UTF-16 code units. The last steps spread the differences of short words over all bits, as MurmurHash3 does. */
function hashOf(word: string): number {
  let hash = 0x81_1c_9d_c5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01_00_01_93)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return (hash ^ (hash >>> 16)) >>> 0
}
