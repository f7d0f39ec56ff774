import { ParleyError } from '@parley/core'

/**
 * - `none`: requests are not captured.
 * - `show`: readers see each request as `model.request`.
 * - `keep`: as `show`, and the journal keeps each request as `request.kept` before it is sent: instructions, tools and
 *   settings in full, messages as positions in the transcript. `restoreRequest` restores a request.
 */
export type RequestCapture = 'none' | 'show' | 'keep'

const CAPTURES: readonly unknown[] = ['none', 'show', 'keep'] satisfies RequestCapture[]

function isRequestCapture(value: unknown): boolean {
  return CAPTURES.includes(value)
}

/**
 * Checks a value of `captureRequests` and fills in the default.
 * @throws ParleyError `config-invalid` if the value is unknown.
 */
export function checkedCapture(value: RequestCapture | undefined): RequestCapture | undefined {
  if (value === undefined || isRequestCapture(value)) return value
  const detail = `is '${value}'; must be 'none', 'show' or 'keep'`
  throw new ParleyError({ code: 'config-invalid', path: 'captureRequests', detail })
}
