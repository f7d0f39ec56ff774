import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Where a path really leads, or why that cannot be said. */
export type Location =
  | { readonly type: 'found'; readonly path: string }
  /** Nothing is there; `path` is below the real path of the deepest directory that exists. */
  | { readonly type: 'absent'; readonly path: string }
  /** A symbolic link that leads to nothing or in a circle. */
  | { readonly type: 'broken-link' }
  | { readonly type: 'below-file' }
  | { readonly type: 'failed'; readonly code: string }

/** Follows all symbolic links of an absolute path; of one that does not exist, those of what does. */
export async function locatePath(absolute: string): Promise<Location> {
  const missing: string[] = []
  let current = absolute
  for (;;) {
    try {
      const real = await realpath(current)
      if (missing.length === 0) return { type: 'found', path: real }
      if (!(await stat(real)).isDirectory()) return { type: 'below-file' }
      return { type: 'absent', path: join(real, ...missing) }
    } catch (error) {
      const code = errorCode(error)
      if (code === 'ELOOP') return { type: 'broken-link' }
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return { type: 'failed', code }
      // A link to nothing exists by itself: taking it for a free name would let a write follow it anywhere.
      if (await isLink(current)) return { type: 'broken-link' }
      const parent = dirname(current)
      if (parent === current) return { type: 'failed', code }
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
