import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Where a path really leads. Except for a broken link, `path` is real as far as something exists: judge it before
 * telling anything about it, since it may be outside.
 */
export type Location =
  | { readonly type: 'found' | 'absent' | 'below-file'; readonly path: string }
  /** The system does not let it be looked up. */
  | { readonly type: 'failed'; readonly path: string; readonly code: string }
  /** A symbolic link that leads to nothing, in a circle, or where the system does not let anybody look. */
  | { readonly type: 'broken-link' }

/** Follows all symbolic links of an absolute path; of one that does not exist, those of what does. */
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
      // A link to nothing exists by itself: taking it for a free name would let a write follow it anywhere.
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

/** The system's name for a failure, such as `ENOENT`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
