import { posix } from 'node:path'
import type { SourceModule } from './source-module.ts'
import type { Violation } from './violation.ts'

/** Largest number of source files in a folder. Tests, fixtures and `index.ts` do not count. */
const MAX_FILES = 25

/** Reports folders with too many source files. */
export function checkRooms(modules: readonly SourceModule[]): readonly Violation[] {
  const counted = modules.filter(({ file }) => !file.dev && posix.basename(file.path) !== 'index.ts')
  const folders = Map.groupBy(counted, ({ file }) => posix.dirname(file.path))
  return [...folders]
    .filter(([, files]) => files.length > MAX_FILES)
    .map(([folder, files]) => ({
      rule: 'room',
      file: folder,
      line: 1,
      message: `This folder holds ${files.length} source files; at most ${MAX_FILES} are allowed. Group them into folders named by what they hold.`,
    }))
}
