import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { PrepareCommand } from '../shell-policy.ts'

/** Refuses directories as operands. `diff` would read the files of the same name in them, whatever they are. */
export function onlyFiles(paths: readonly string[]): PrepareCommand {
  return async ({ cwd, argv }) => {
    for (const path of paths) {
      const kind = await stat(resolve(cwd, path)).catch(() => undefined)
      if (kind?.isDirectory() === true) return `'${path}' is a directory. Name the files in it instead.`
    }
    return { argv }
  }
}
