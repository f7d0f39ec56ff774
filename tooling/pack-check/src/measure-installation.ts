import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What an installation occupies on a disk. */
export interface InstallationSize {
  /** Names of the installed packages. A package that is installed twice appears twice. */
  readonly packages: readonly string[]
  readonly bytes: number
}

/** The most that an installation may occupy. */
export interface SizeLimit {
  readonly packages: number
  readonly bytes: number
}

/** File systems give a file whole blocks, so many small files occupy more than their bytes. */
const BLOCK = 4096

/** Measures the `node_modules` folder of a project. Folders whose names begin with a dot hold no packages. */
export async function measureInstallation(folder: string): Promise<InstallationSize> {
  const root = join(folder, 'node_modules')
  const found = new Set<string>()
  let bytes = 0
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1)
    const owner = /^(?:.*\/)?node_modules\/(?:@[^/.]+\/)?[^@./][^/]*(?=\/)/.exec(path)?.[0]
    if (owner === undefined) continue
    found.add(owner)
    const size = entry.isFile() ? (await stat(join(folder, path))).size : BLOCK
    bytes += Math.ceil(size / BLOCK) * BLOCK
  }
  const names = [...found].map(path => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  return { packages: names.toSorted(), bytes }
}

/** Returns a problem for each limit that an installation exceeds. */
export function excessOf({ packages, bytes }: InstallationSize, limit: SizeLimit): readonly string[] {
  const problems: string[] = []
  if (packages.length > limit.packages)
    problems.push(
      `a working agent installs ${packages.length} packages, more than ${limit.packages}: ${packages.join(', ')}`,
    )
  if (bytes > limit.bytes)
    problems.push(`a working agent installs ${megabytes(bytes)}, more than ${megabytes(limit.bytes)}: ship fewer files`)
  return problems
}

/** Writes a size in megabytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`
}
