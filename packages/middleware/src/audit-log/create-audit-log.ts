import { defineMiddleware, type Middleware, type RunEvent, type RunFacts } from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import { refuse } from '../outcome/refuse.ts'
import { auditFactOf } from './audit-fact-of.ts'
import { digestOf, type AuditRecord } from './audit-record.ts'

export interface AuditLogOptions {
  /** Keeps a record; called with one at a time, in order. What it throws is a record that was not kept. */
  readonly write: (record: AuditRecord) => Promise<void> | void
  /** Whether arguments, results and messages are kept as they are, not as their digests. @default false */
  readonly content?: boolean | undefined
  /** Whether no tool may run whose records so far were not kept. @default true */
  readonly required?: boolean | undefined
  /** The last record of a log that is gone on with. @default a new log */
  readonly after?: Pick<AuditRecord, 'number' | 'digest'> | undefined
  readonly onError?: ((error: unknown, record: AuditRecord) => void) | undefined
}

export interface AuditLog {
  readonly middleware: Middleware
  /**
   * Resolves when everything that has happened is written.
   * @throws What `write` threw first.
   */
  flush(): Promise<void>
}

const FIELDS = ['write', 'content', 'required', 'after', 'onError']

/**
 * Records who did what, for all runs that share it: one chain of records, each with the digest of the one before. The
 * write of a record that failed is not tried again, and the chain has no gap for it: what is kept can be verified.
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  checkFields('auditLog', options, FIELDS)
  const { write, content = false, required = true, onError } = options
  let last = options.after ?? { number: 0, digest: '' }
  let written: Promise<void> = Promise.resolve()
  let failure: { readonly error: unknown } | undefined

  async function append(event: RunEvent, run: RunFacts): Promise<void> {
    const fact = await auditFactOf(event, run, content)
    if (fact === undefined) return
    const body = { ...fact, number: last.number + 1, previous: last.digest }
    const record: AuditRecord = { ...body, digest: await digestOf(body) }
    try {
      await write(record)
      last = record
    } catch (error) {
      failure ??= { error }
      onError?.(error, record)
    }
  }

  const middleware = defineMiddleware('audit-log', run => ({
    event(event) {
      // The agent is the one of this moment: a handoff changes it.
      const facts = { ...run }
      written = written.then(() => append(event, facts))
    },
    async tool(call, next) {
      await written
      if (required && failure !== undefined) {
        const { name } = call.tool
        return refuse({ code: 'tool-denied', tool: name, reason: 'the audit log cannot be written.' })
      }
      return next(call)
    },
  }))

  return {
    middleware,
    async flush() {
      await written
      if (failure !== undefined) throw failure.error as Error
    },
  }
}
