import { ParleyError, type ErrorInfo } from '@parley/core'

export type RefusalReason = Extract<ErrorInfo, { code: 'path-refused' }>['reason']

export interface Refusal {
  /** The requested path. A very long path is cut. */
  readonly path: string
  readonly reason: RefusalReason
  /** A sentence that says what is wrong and what to do instead. It must not reveal a place outside the workspace. */
  readonly detail: string
}

/** Refuses a path with a sentence for the model. @throws ParleyError `path-refused`, always. */
export function refusePath({ path, reason, detail }: Refusal): never {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path
  throw new ParleyError({ code: 'path-refused', path: shown.replaceAll('\0', '\\0'), reason, detail })
}

export const BY_LINK =
  'it leads through a symbolic link that leaves the workspace or is broken. Use a path without that link.'

/** Translates the error code of a system call. @throws ParleyError `path-refused`, always. */
export function refuseFailure(path: string, code: string, intent: 'read' | 'write'): never {
  switch (code) {
    case 'ENAMETOOLONG':
      return refusePath({ path, reason: 'invalid', detail: 'a name in it is longer than the file system allows.' })
    case 'EACCES':
    case 'EPERM':
      return refusePath({ path, reason: 'unusable', detail: `the system denies permission to ${intent} it.` })
    case 'ELOOP':
      return refusePath({ path, reason: 'outside', detail: BY_LINK })
    case 'ENOENT':
    case 'ENOTDIR':
      return refusePath({
        path,
        reason: 'missing',
        detail: 'it vanished while it was being used. List its directory.',
      })
    case 'ENOSPC':
    case 'EDQUOT':
      return refusePath({ path, reason: 'unusable', detail: 'the disk is full.' })
    case 'EROFS':
      return refusePath({ path, reason: 'unusable', detail: 'the file system is read-only.' })
    default:
      return refusePath({ path, reason: 'unusable', detail: `the system cannot ${intent} it (${code}).` })
  }
}
