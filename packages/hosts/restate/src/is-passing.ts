import type { ErrorInfo, ParleyError } from '@parley/core'

const PASSING: ReadonlySet<ErrorInfo['code']> = new Set([
  'internal',
  'run-busy',
  'runtime-closed',
  'store-conflict',
  'store-fenced',
  'store-unavailable',
])

/** Whether another try, maybe in another process, may not meet this failure. */
export function isPassing({ code }: ParleyError): boolean {
  return PASSING.has(code)
}
