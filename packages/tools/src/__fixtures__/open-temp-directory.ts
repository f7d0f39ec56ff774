import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TempDirectory extends AsyncDisposable {
  readonly path: string
  /** Writes a file, creates missing directories, and returns the file's path. */
  write(name: string, content: string | Uint8Array): Promise<string>
  /** Creates a symbolic link to `target`. */
  link(name: string, target: string): Promise<void>
}

/** Creates a real directory that is removed on disposal. */
export async function openTempDirectory(): Promise<TempDirectory> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-tools-')))
  return {
    path,
    async write(name, content) {
      const file = join(path, name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      return file
    },
    link: (name, target) => symlink(target, join(path, name)),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
