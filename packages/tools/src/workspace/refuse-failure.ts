import { refusePath } from './refuse-path.ts'

export const BY_LINK =
  'it leads through a symbolic link that leaves the workspace or is broken. Use a path without that link.'

/** Says what a failure of the system means for a path. */
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
