import { ParleyError } from '../../errors/parley-error.ts'
import { entrySchema, type Entry } from '../entry.ts'
import { checkStored, parseStoredJson } from './parse-stored.ts'

export interface StoredEntries {
  /** Their place (store, run), for errors. */
  readonly where: string
  /** Number of the last of them. */
  readonly last: number
}

/**
 * Reads the stored entries of one append, a JSON array.
 * @throws ParleyError `store-corrupt`, naming the entry, when one is of no version this release knows or carries
 * another number than its place says.
 */
export function parseEntries(text: string, { where, last }: StoredEntries): readonly Entry[] {
  const before = `${where}, entries up to ${last}`
  const values = parseStoredJson(text, { name: 'list of entries', where: before })
  if (!Array.isArray(values) || values.length === 0) corrupt(before, 'the list of entries is none')
  return values.map((value: unknown, index) => {
    const seq = last - values.length + index + 1
    const place = `${where}, entry ${seq}`
    const entry = checkStored(value, { schema: entrySchema, name: 'entry', where: place })
    if (entry.seq !== seq) corrupt(place, `it carries the number ${entry.seq}`)
    return entry
  })
}

function corrupt(store: string, detail: string): never {
  throw new ParleyError({ code: 'store-corrupt', store, detail })
}
