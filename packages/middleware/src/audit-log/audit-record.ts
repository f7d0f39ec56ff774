import type { Json, Principal } from '@parley/core'
import { jsonDigest } from '../json/canonical-json.ts'

/** Who did what when, without the record's place in the log. */
export interface AuditFact {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly action: string
  readonly runId: string
  readonly sessionId: string
  readonly scope: string
  readonly agent: string
  readonly principal?: Principal | undefined
  /** Names, ids and numbers of the action; arguments and texts only as SHA-256, unless content is logged. */
  readonly details: { readonly [name: string]: Json }
}

/** A fact in its place: each record carries the digest of the one before it, so that none can be changed or left out unseen. */
export interface AuditRecord extends AuditFact {
  /** From 1, without gaps. */
  readonly number: number
  /** Digest of the record before; of the first one, what the log was told to go on from. */
  readonly previous: string
  readonly digest: string
}

/** SHA-256 over everything but the digest itself. */
export function digestOf(record: Omit<AuditRecord, 'digest'>): Promise<string> {
  return jsonDigest({ ...record, digest: undefined })
}
