import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Workspace } from './workspace.ts'

/** A source file of a package. */
export interface SourceFile {
  /** Path from the root of the repository. */
  readonly path: string
  /** Path from the folder of the package. */
  readonly inPackage: string
  /** Whether the file is not published: a test, a fixture, a demo, an example, a benchmark or configuration. */
  readonly dev: boolean
}

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage'])
const CODE = /\.[cm]?[jt]sx?$/
const DEV_FILE = /\.(test|test-d|spec|example|config|bench)\.[cm]?[jt]sx?$/
const DEV_FOLDER = /(^|\/)(__fixtures__|demo|examples|bench|test|tests|scripts)\//

/** Lists the source files of a package, without the files of other packages in its subfolders. */
export function listSourceFiles(root: string, { dir }: Workspace): readonly SourceFile[] {
  const found: SourceFile[] = []
  function walk(folder: string): void {
    const entries = readdirSync(join(root, dir, folder), { withFileTypes: true })
    if (folder !== '' && entries.some(entry => entry.name === 'package.json')) return
    for (const entry of entries) {
      const inPackage = posix.join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && !entry.name.startsWith('.')) walk(inPackage)
      } else if (CODE.test(entry.name)) {
        const dev = DEV_FILE.test(entry.name) || DEV_FOLDER.test(inPackage)
        found.push({ path: posix.join(dir, inPackage), inPackage, dev })
      }
    }
  }
  walk('')
  return found
}
