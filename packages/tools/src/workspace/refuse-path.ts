import { ParleyError, type ErrorInfo } from '@parley/core'

export type RefusalReason = Extract<ErrorInfo, { code: 'path-refused' }>['reason']

export interface Refusal {
  /** As it was asked for; cut when it is very long. */
  readonly path: string
  readonly reason: RefusalReason
  /** What is wrong and what to do. Must name no place outside the workspace. */
  readonly detail: string
}

export function refusePath({ path, reason, detail }: Refusal): never {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path
  throw new ParleyError({ code: 'path-refused', path: shown.replaceAll('\0', '\\0'), reason, detail })
}
