import type { Json, Principal } from '@parley/core'
import { jsonDigest } from '../json/json-digest.ts'

/** Who did what, and when. A fact has no position in the log yet. */
export interface AuditFact {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Type of the event, such as `tool.started`. */
  readonly action: string
  readonly runId: string
  readonly sessionId: string
  readonly scope: string
  readonly agent: string
  readonly principal?: Principal | undefined
  /** Names, ids and numbers of the action. Arguments and texts are present only as SHA-256, unless `content` is set. */
  readonly details: { readonly [name: string]: Json }
}

/** A fact with its position in the log. Each record holds the digest of the one before it, so a changed or missing record is detectable. */
export interface AuditRecord extends AuditFact {
  /** Position from 1, without gaps. */
  readonly number: number
  /** Digest of the record before. For the first record, the digest of `after`, or an empty text in a new log. */
  readonly previous: string
  /** Digest of this record. */
  readonly digest: string
}

/** Computes the SHA-256 of all fields except the digest itself. */
export function digestOf(record: Omit<AuditRecord, 'digest'>): Promise<string> {
  return jsonDigest({ ...record, digest: undefined })
}
