import * as z from 'zod'
import type { MiddlewareType } from '../compose/part-type.ts'
import { part } from './part.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'
const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error']

/** One line of JSON for each step, on standard error: standard output may be the answer, or a protocol. */
export const loggingType: MiddlewareType = part(
  z.strictObject({ content: z.boolean().optional(), level: z.enum(['debug', 'info', 'warn', 'error']).optional() }),
  async ({ content, level: least = 'info' }) => {
    const { logging } = await import('@parley/middleware/logging')
    const log = (level: Level) => (message: string, fields?: object) => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return
      process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`)
    }
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
    return logging({ content, logger })
  },
)
