import { ParleyError } from '@parley/core'

/**
 * - `none`: requests are not captured, which costs nothing.
 * - `show`: those who watch see each as `model.request`.
 * - `keep`: that, and the journal keeps each as `request.kept` before it is sent: instructions, tools and settings in
 *   full, messages by their places in the log. `restoreRequest` puts one together again.
 */
export type RequestCapture = 'none' | 'show' | 'keep'

const CAPTURES: readonly unknown[] = ['none', 'show', 'keep'] satisfies RequestCapture[]

export function isRequestCapture(value: unknown): boolean {
  return CAPTURES.includes(value)
}

/** @throws ParleyError `config-invalid` for what is none. */
export function checkedCapture(value: RequestCapture | undefined): RequestCapture | undefined {
  if (value === undefined || isRequestCapture(value)) return value
  const detail = `is '${value}', it must be 'none', 'show' or 'keep'`
  throw new ParleyError({ code: 'config-invalid', path: 'captureRequests', detail })
}
