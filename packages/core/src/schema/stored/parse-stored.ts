import type * as z from 'zod'
import { ParleyError } from '../../errors/parley-error.ts'
import { ENTRY_VERSION } from '../entry-version.ts'
import type { Entry } from '../entry.ts'
import { entrySchema } from '../entry-schema.ts'
import { runCommandSchema, type RunCommand } from '../run-command.ts'

/**
 * Reads a stored entry.
 * @param where Place of the text (store, run, number), for errors.
 * @throws ParleyError `store-newer` if a newer release wrote the entry, `store-corrupt` if the text is not an entry.
 */
export function parseEntry(text: string, where: string): Entry {
  const place = { name: 'entry', where }
  return checkEntry(parseJson(text, place), place)
}

/** Where the stored entries of one append are, and the number that the last of them must have. */
export interface StoredEntries {
  /** Place of the entries (store, run), for errors. */
  readonly where: string
  /** Number of the last entry. */
  readonly last: number
}

/**
 * Reads the stored entries of one append, a JSON array.
 * @throws ParleyError `store-newer` if a newer release wrote an entry.
 * @throws ParleyError `store-corrupt` if a value is not an entry, or the number of an entry does not match its position.
 * The error contains the number of the entry.
 */
export function parseEntries(text: string, { where, last }: StoredEntries): readonly Entry[] {
  const append = `${where}, entries up to ${last}`
  const values = parseJson(text, { name: 'list of entries', where: append })
  if (!Array.isArray(values) || values.length === 0) corrupt(append, 'the list of entries must be a non-empty array')
  return values.map((value: unknown, index) => {
    const seq = last - values.length + index + 1
    const place = `${where}, entry ${seq}`
    const entry = checkEntry(value, { name: 'entry', where: place })
    if (entry.seq !== seq) corrupt(place, `the entry has the number ${entry.seq}`)
    return entry
  })
}

/**
 * Reads a stored command of a run's inbox.
 * @param where Place of the text (store, run, position), for errors.
 * @throws ParleyError `store-corrupt` if the text is not a command that this release knows.
 */
export function parseRunCommand(text: string, where: string): RunCommand {
  const place = { name: 'command', where }
  return checkStored(parseJson(text, place), runCommandSchema, place)
}

interface StoredPlace {
  /** Kind of the stored text, for example `entry`. */
  readonly name: string
  readonly where: string
}

function parseJson(text: string, { name, where }: StoredPlace): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ParleyError({ code: 'store-corrupt', store: where, detail: `the ${name} is not JSON` }, { cause })
  }
}

function checkEntry(value: unknown, place: StoredPlace): Entry {
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined
  if (typeof version === 'number' && version > ENTRY_VERSION) {
    const found = String(version)
    throw new ParleyError({ code: 'store-newer', store: place.where, found, known: String(ENTRY_VERSION) })
  }
  return checkStored(value, entrySchema, place)
}

function checkStored<TSchema extends z.ZodType>(
  value: unknown,
  schema: TSchema,
  { name, where }: StoredPlace,
): z.output<TSchema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  return corrupt(where, issue === undefined ? 'unknown shape' : `${issue.path.join('.') || name}: ${issue.message}`)
}

function corrupt(store: string, detail: string): never {
  throw new ParleyError({ code: 'store-corrupt', store, detail })
}
