import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

export interface FindProgramOptions {
  readonly cwd: string
  readonly path: string
  /** Decides whether a directory of the search path may be used. */
  readonly accepts: (directory: string) => boolean
}

export interface FoundProgram {
  readonly path: string
  /** The path after all links are followed. */
  readonly realPath: string
}

/** Finds the file that a command names. Skips relative directories in the search path. */
export async function findProgram(
  name: string,
  { cwd, path, accepts }: FindProgramOptions,
): Promise<FoundProgram | undefined> {
  if (name.includes('/')) return toProgram(resolve(cwd, name))
  for (const directory of path.split(delimiter)) {
    if (!isAbsolute(directory)) continue
    const real = await realpath(directory).catch(() => undefined)
    if (real === undefined || !accepts(real)) continue
    const found = await toProgram(join(directory, name))
    if (found !== undefined) return found
  }
  return undefined
}

async function toProgram(path: string): Promise<FoundProgram | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined
    await access(path, constants.X_OK)
    return { path, realPath: await realpath(path) }
  } catch {
    return undefined
  }
}
