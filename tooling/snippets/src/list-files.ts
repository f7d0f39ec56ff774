import { readdirSync } from 'node:fs'
import { posix } from 'node:path'

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', '__fixtures__', 'bench'])

/** Lists the files whose name is accepted, as sorted paths from `root`. Skips built, installed and hidden files. */
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
