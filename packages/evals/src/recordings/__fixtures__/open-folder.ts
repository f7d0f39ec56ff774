import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder that is removed when it is disposed. */
export function openFolder(): Disposable & { file(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-recordings-'))
  return {
    file: name => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
