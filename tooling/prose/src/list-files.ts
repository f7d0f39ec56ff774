import { readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', 'results', 'peers'])
/** The only folder whose name starts with a dot that holds prose. */
const CHANGESETS = '.changeset'
const READ = /\.([cm]?tsx?|[cm]?jsx?|md)$/
const GENERATED = /(^|\/)CHANGELOG\.md$|__fixtures__\/.*\.md$/

/** The sources and documents below `start`, a file or a folder, as sorted paths from `root`. Links are not followed. */
export function listFiles(root: string, start: string): readonly string[] {
  if (statSync(join(root, start)).isFile()) return [start]
  const found: string[] = []
  function walk(folder: string): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) {
        const hidden = entry.name.startsWith('.') && entry.name !== CHANGESETS
        if (!SKIPPED.has(entry.name) && !hidden) walk(path)
      } else if (entry.isFile() && READ.test(path) && !GENERATED.test(path)) found.push(path)
    }
  }
  walk(start)
  return found.toSorted()
}
