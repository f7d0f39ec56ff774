import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ParleyError } from '@parley/core'
import type { AuditRecord } from '@parley/middleware/audit-log'
import * as z from 'zod'
import type { MiddlewareType } from '../compose/part-type.ts'
import { words } from '../schema/scalars.ts'
import { part } from './part.ts'

/** An audit log in a file with one JSON record a line. It continues the log that the file has. */
export const auditLogType: MiddlewareType = part(
  z.strictObject({ file: words, content: z.boolean().optional(), required: z.boolean().optional() }),
  async ({ file, ...options }, { folder = '.' }) => {
    const { createAuditLog } = await import('@parley/middleware/audit-log')
    const path = resolve(folder, file)
    const after = await lastRecord(path)
    const write = async (record: AuditRecord): Promise<void> => {
      await mkdir(dirname(path), { recursive: true })
      await appendFile(path, `${JSON.stringify(record)}\n`, { mode: 0o600 })
    }
    const log = createAuditLog({ ...options, write, after })
    return { middleware: log.middleware, resources: [{ [Symbol.asyncDispose]: () => log.flush() }] }
  },
)

async function lastRecord(path: string): Promise<AuditRecord | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new ParleyError({ code: 'config-invalid', path: 'file', detail: `cannot be read: ${error.code}` })
  })
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  try {
    return last === '' ? undefined : (JSON.parse(last) as AuditRecord)
  } catch (cause) {
    const detail = 'must be an audit log: its last line is not a record'
    throw new ParleyError({ code: 'config-invalid', path: 'file', detail }, { cause })
  }
}
