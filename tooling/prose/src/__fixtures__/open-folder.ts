import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary folder. Disposing it deletes it. */
export interface Folder extends Disposable {
  readonly root: string
}

/** Writes the given texts by path into a new temporary folder. */
export function openFolder(files: Readonly<Record<string, string>>): Folder {
  const root = mkdtempSync(join(tmpdir(), 'parley-prose-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
