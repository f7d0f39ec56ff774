import { entrySchema, type Entry } from '../entry.ts'
import { parseStored } from './parse-stored.ts'

/**
 * Reads one stored entry. `where` names its place (store, run, number) for the error.
 * @throws ParleyError `store-corrupt` when the text is no entry of a version this release knows.
 */
export function parseEntry(text: string, where: string): Entry {
  return parseStored(text, { schema: entrySchema, name: 'entry', where })
}
