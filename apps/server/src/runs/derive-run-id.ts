import { createHash } from 'node:crypto'

/** The hash of a list of texts, in 32 hexadecimal digits. */
export function hashOf(values: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32)
}

/** Derives the id of a run, so that every process finds it: a UUID of version 8, which RFC 9562 reserves for such ids. */
export function deriveRunId(values: readonly string[]): string {
  const hash = hashOf(values)
  const digits = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
