import { ParleyError } from '@parley/core'

/** Rejects a date, time zone or amount with a sentence the model can act on. */
export function failTime(tool: 'current_time' | 'date_math', detail: string): never {
  throw new ParleyError({ code: 'tool-failed', tool, detail })
}
