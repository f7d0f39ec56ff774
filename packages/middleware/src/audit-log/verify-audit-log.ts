import { digestOf, type AuditRecord } from './audit-record.ts'

/** Result of `verifyAuditLog`. */
export type AuditVerification =
  | { readonly ok: true; readonly records: number }
  /** The first invalid record, and what is wrong with it. */
  | { readonly ok: false; readonly number: number; readonly detail: string }

/**
 * Checks that records are exactly the written log: none was changed, removed, added or moved. Removing records at the end
 * cannot be detected.
 */
export async function verifyAuditLog(records: Iterable<AuditRecord>): Promise<AuditVerification> {
  let last: AuditRecord | undefined
  let count = 0
  for (const record of records) {
    const { number, previous, digest } = record
    if (last !== undefined && number !== last.number + 1) {
      return { ok: false, number, detail: `number ${number} follows ${last.number}` }
    }
    if (last !== undefined && previous !== last.digest) {
      return { ok: false, number, detail: 'it does not hold the digest of the record before it' }
    }
    if (digest !== (await digestOf(record)))
      return { ok: false, number, detail: 'its content does not match its digest' }
    last = record
    count += 1
  }
  return { ok: true, records: count }
}
