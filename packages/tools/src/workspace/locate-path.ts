import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Where a path really leads. `path` is the real path of the part that exists, plus the missing rest. It may lie outside the
 * workspace, so judge it before you reveal anything about it.
 */
export type Location =
  | { readonly type: 'found' | 'absent' | 'below-file'; readonly path: string }
  /** The system refused the lookup with this error code. */
  | { readonly type: 'failed'; readonly path: string; readonly code: string }
  /** A symbolic link that leads nowhere, leads in a circle, or leads to a place that the system does not let this process read. */
  | { readonly type: 'broken-link' }

/** Follows all symbolic links of an absolute path. If the path does not exist, follows the links of the part that does. */
export async function locatePath(absolute: string): Promise<Location> {
  const missing: string[] = []
  let failure: string | undefined
  let current = absolute
  for (;;) {
    try {
      const real = await realpath(current)
      if (missing.length === 0) return { type: 'found', path: real }
      const path = join(real, ...missing)
      if (failure !== undefined) return { type: 'failed', path, code: failure }
      return { type: (await stat(real)).isDirectory() ? 'absent' : 'below-file', path }
    } catch (error) {
      const code = errorCode(error)
      // A dangling link exists itself. If it counted as a free name, a write would follow it to any place outside.
      if (code === 'ELOOP' || (await isLink(current))) return { type: 'broken-link' }
      if (code !== 'ENOENT' && code !== 'ENOTDIR') failure = code
      const parent = dirname(current)
      if (parent === current) return { type: 'failed', path: absolute, code }
      missing.unshift(basename(current))
      current = parent
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Returns the error code of a system call, such as `ENOENT`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
