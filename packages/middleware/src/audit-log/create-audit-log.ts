import {
  checkOptions,
  defineMiddleware,
  type Middleware,
  type RunEvent,
  type RunFacts,
  type OptionKinds,
} from '@parley/core'
import { refuse } from '../outcome/refuse.ts'
import { auditFactOf } from './audit-fact-of.ts'
import { digestOf, type AuditRecord } from './audit-record.ts'

export interface AuditLogOptions {
  /** Stores a record. Called with one record at a time, in order. If it throws, the record counts as not written. */
  readonly write: (record: AuditRecord) => Promise<void> | void
  /** Whether to record arguments, results and messages themselves instead of their digests. @default false */
  readonly content?: boolean | undefined
  /** Whether to refuse all tool calls after a record could not be written. @default true */
  readonly required?: boolean | undefined
  /** The last record of an earlier log that this log continues. @default a new log */
  readonly after?: Pick<AuditRecord, 'number' | 'digest'> | undefined
  /** Called for each record that could not be written. @default none */
  readonly onError?: ((error: unknown, record: AuditRecord) => void) | undefined
}

/** An audit log. Add `middleware` to each agent that it covers. */
export interface AuditLog {
  readonly middleware: Middleware
  /**
   * Resolves when all records so far are written.
   * @throws The first error that `write` threw.
   */
  flush(): Promise<void>
}

const OPTIONS: OptionKinds<AuditLogOptions> = {
  write: 'function!',
  content: 'boolean',
  required: 'boolean',
  after: 'object',
  onError: 'function',
}

/**
 * Creates a log of who did what, for all runs that share it. The records form one chain, in which each record holds the
 * digest of the one before. A failed write is not repeated. The next record takes its place in the chain, so the written
 * records still verify.
 * @throws ParleyError `config-invalid` if an option is unknown.
 */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  checkOptions('auditLog', options, OPTIONS)
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
      // Copied now, because a handoff changes the run's agent later.
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
