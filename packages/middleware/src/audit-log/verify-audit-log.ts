import { digestOf, type AuditRecord } from './audit-record.ts'

export type AuditVerification =
  | { readonly ok: true; readonly records: number }
  /** The first record that does not follow from the one before it. */
  | { readonly ok: false; readonly number: number; readonly detail: string }

/** Whether records are the log that was written: none changed, left out, added or moved. Cutting off its end cannot be seen. */
export async function verifyAuditLog(records: Iterable<AuditRecord>): Promise<AuditVerification> {
  let last: AuditRecord | undefined
  let count = 0
  for (const record of records) {
    const { number, previous, digest } = record
    if (last !== undefined && number !== last.number + 1) {
      return { ok: false, number, detail: `number ${number} follows ${last.number}` }
    }
    if (last !== undefined && previous !== last.digest) {
      return { ok: false, number, detail: 'it does not carry the digest of the record before it' }
    }
    if (digest !== (await digestOf(record))) return { ok: false, number, detail: 'its content does not fit its digest' }
    last = record
    count += 1
  }
  return { ok: true, records: count }
}
