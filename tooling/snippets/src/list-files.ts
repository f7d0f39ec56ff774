import { readdirSync } from 'node:fs'
import { posix } from 'node:path'

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', '__fixtures__', 'bench'])

/** Files of the repository whose name passes, as sorted paths from `root`. Skips what is built, installed or hidden. */
export function listFiles(root: string, accepts: (name: string) => boolean): readonly string[] {
  const found: string[] = []
  function walk(folder: string): void {
    for (const entry of readdirSync(posix.join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && !entry.name.startsWith('.')) walk(path)
      } else if (accepts(entry.name)) found.push(path)
    }
  }
  walk('')
  return found.toSorted()
}
