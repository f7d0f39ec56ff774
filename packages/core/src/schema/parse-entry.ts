import { ParleyError } from '../parley-error.ts'
import { entrySchema, type Entry } from './entry.ts'

/**
 * Reads one stored entry. `where` names its place (store, run, number) for the error.
 * @throws ParleyError `store-corrupt` when the text is no entry of a version this release knows.
 */
export function parseEntry(text: string, where: string): Entry {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ParleyError({ code: 'store-corrupt', store: where, detail: 'the entry is not JSON' }, { cause })
  }
  const parsed = entrySchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const detail = issue === undefined ? 'unknown shape' : `${issue.path.join('.') || 'entry'}: ${issue.message}`
  throw new ParleyError({ code: 'store-corrupt', store: where, detail })
}
