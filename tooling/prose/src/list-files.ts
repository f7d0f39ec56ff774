import { readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', 'results', 'peers'])
/** The only folder with prose whose name starts with a dot. */
const CHANGESETS = '.changeset'
const READ = /\.([cm]?tsx?|[cm]?jsx?|md)$/
const GENERATED = /(^|\/)CHANGELOG\.md$|__fixtures__\/.*\.md$/

/**
 * Lists the sources and documents below `start`, which is a file or a folder. Returns sorted paths from `root`. Does
 * not follow links.
 */
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
