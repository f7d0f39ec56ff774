import * as z from 'zod'

const TRUE = new Set<unknown>([1, '1', 'true', 't', 'yes', 'y', 'on'])
const FALSE = new Set<unknown>([0, '0', 'false', 'f', 'no', 'n', 'off'])

function toBoolean(value: unknown): unknown {
  const plain = typeof value === 'string' ? value.toLowerCase() : value
  if (TRUE.has(plain)) return true
  return FALSE.has(plain) ? false : value
}

function toNumber(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : value
}

/** A boolean. Also accepts the words and digits that some clients send for a boolean. */
export const lenientBoolean = z.preprocess(toBoolean, z.boolean())
/** A number. Also accepts a number in a string. */
export const lenientNumber = z.preprocess(toNumber, z.number())
/** An integer. Also accepts an integer in a string. */
export const lenientInt = z.preprocess(toNumber, z.int())
