import { ParleyError } from '@parley/core'

export interface StoreErrorOptions {
  /** Name of the store, for errors. */
  readonly name: string
  readonly waitMs: number
}

/** Whether the same call may succeed soon: the server restarts, the connection broke, or another transaction conflicts. */
export function isTemporary(error: unknown): boolean {
  const { code, message } = partsOf(error)
  return TEMPORARY_CODES.some(prefix => code.startsWith(prefix)) || TEMPORARY_MESSAGES.test(message)
}

/** Converts an error of PostgreSQL, its driver or the network to a `ParleyError` that says what to do. Returns an unknown error unchanged. */
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
      ? `no connection was free for ${waitMs} ms. Allow more connections, or find out what uses them`
      : isTemporary(error)
        ? `the server could not be reached${waitMs === 0 ? '' : ` for ${waitMs} ms`}. Check that it runs, and check its address`
        : undefined)
  if (cause === undefined) return error
  const info = { code: 'store-unavailable', store: name, detail: `${cause} (${said}).` } as const
  return new ParleyError(info, { cause: error })
}

/**
 * Returns the SQLSTATE or system error code, and the message. If a connection to several IP addresses failed, both come
 * from the first of its errors.
 */
function partsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' }
  if (error instanceof AggregateError && error.message === '') return partsOf(error.errors[0])
  return { code: 'code' in error ? String(error.code) : '', message: error.message }
}

const TEMPORARY_CODES: readonly string[] = [
  '08',
  '57P0',
  // Serialization failure, a key that the same call wrote before its connection broke, deadlock, too many connections, a primary that
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

/** Messages of the driver's own errors, which have no code. */
const TEMPORARY_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/

const CORRUPT: readonly (readonly [code: string, sentence: string])[] = [
  ['42P01', 'its tables are not those of a store. Use another schema, or restore the tables from a backup'],
  ['42703', 'its tables are not those of a store. Use another schema, or restore the tables from a backup'],
  ['XX001', 'its content is inconsistent. Restore it from a backup'],
  ['XX002', 'its content is inconsistent. Restore it from a backup'],
]

const UNAVAILABLE: readonly (readonly [code: string, sentence: string])[] = [
  ['28', 'the server rejected the user or the password'],
  ['3D000', 'the server has no such database. Create it first'],
  ['42501', 'the user lacks a permission. Grant it access to the schema and its tables'],
  ['53100', 'the disk of the server is full. The call was undone'],
  ['53300', 'the server accepts no more connections. Lower `connections`, or raise the limit of the server'],
  ['57014', 'a statement took too long and was cancelled. The call was undone'],
  ['25006', 'the server is a read-only replica. Use the address of the primary'],
  ['ENOTFOUND', 'the host is unknown. Check the address'],
]
