import { ParleyError } from '@parley/core'

export interface StoreErrorOptions {
  /** The store, for errors. */
  readonly name: string
  readonly waitMs: number
}

/** Whether the same call may succeed in a moment: the server restarts, the connection broke, somebody else was in the way. */
export function isPassing(error: unknown): boolean {
  const { code, message } = partsOf(error)
  return PASSING_CODES.some(prefix => code.startsWith(prefix)) || PASSING_WORDS.test(message)
}

/** What PostgreSQL, its driver or the network threw, as what the user can act on. What nobody foresaw stays as it is. */
export function toStoreError(error: unknown, { name, waitMs }: StoreErrorOptions): unknown {
  const { code, message } = partsOf(error)
  const said = message === '' ? code : message
  const corrupt = CORRUPT.find(([prefix]) => code.startsWith(prefix))
  if (corrupt !== undefined) {
    return new ParleyError({ code: 'store-corrupt', store: name, detail: `${corrupt[1]} (${said}).` }, { cause: error })
  }
  const cause =
    UNAVAILABLE.find(([prefix]) => code.startsWith(prefix))?.[1] ??
    (/when trying to connect/.test(message)
      ? `no connection was free for ${waitMs} ms. Allow more connections, or look for what holds them`
      : isPassing(error)
        ? `the server could not be reached${waitMs === 0 ? '' : ` for ${waitMs} ms`}. Check that it runs, and its address`
        : undefined)
  if (cause === undefined) return error
  const info = { code: 'store-unavailable', store: name, detail: `${cause} (${said}).` } as const
  return new ParleyError(info, { cause: error })
}

/** SQLSTATE or system error code, and the driver's words; a failed connection to several addresses has them inside. */
function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' }
  if (error instanceof AggregateError && error.message === '') return partsOf(error.errors[0])
  return { code: 'code' in error ? String(error.code) : '', message: error.message }
}

const PASSING_CODES: readonly string[] = [
  '08',
  '57P0',
  // Serialization failure, deadlock, the same call from before the connection broke, too many connections, a primary that
  // has become a replica.
  '40001',
  '23505',
  '40P01',
  '53300',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]

/** The driver gives its own failures no code. */
const PASSING_WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/

const CORRUPT: readonly (readonly [code: string, sentence: string])[] = [
  ['42P01', 'its tables are not those of a store. Give another schema, or restore them from a backup'],
  ['42703', 'its tables are not those of a store. Give another schema, or restore them from a backup'],
  ['XX001', 'its content is inconsistent. Restore it from a backup'],
  ['XX002', 'its content is inconsistent. Restore it from a backup'],
]

const UNAVAILABLE: readonly (readonly [code: string, sentence: string])[] = [
  ['28', 'the server refused the user or the password'],
  ['3D000', 'the server has no such database. Create it first'],
  ['42501', 'the user may not do that. Grant it the rights to the schema and its tables'],
  ['53100', 'the disk of the server is full. Nothing of the failed call was kept'],
  ['53300', 'the server takes no more connections. Allow fewer here, or more there'],
  ['57014', 'a statement took too long and was given up. Nothing of it was kept'],
  ['25006', 'the server is a read-only replica. Give the address of the primary'],
  ['ENOTFOUND', 'its host is not known. Check the address'],
]
