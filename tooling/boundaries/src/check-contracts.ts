import { posix } from 'node:path'
import type { Contracts } from './contract-files.ts'
import type { SourceModule } from './source-module.ts'
import type { Violation } from './violation.ts'

const MAX_LINES = 60

/** Reports contract files that do not fit on one screen, and contracts without a file. */
export function checkContracts({ dir, files }: Contracts, modules: readonly SourceModule[]): readonly Violation[] {
  return files.flatMap((name): Violation[] => {
    const found = modules.filter(({ file }) => !file.dev && posix.basename(file.path) === name)
    if (found.length === 0) {
      const message = `The contract file ${name} is missing. Restore it, or remove it from contract-files.ts.`
      return [{ rule: 'contract', file: `${dir}/package.json`, line: 1, message }]
    }
    return found
      .filter(({ lines }) => lines > MAX_LINES)
      .map(({ file, lines }) => ({
        rule: 'contract',
        file: file.path,
        line: MAX_LINES + 1,
        message: `This contract has ${lines} lines; at most ${MAX_LINES} are allowed. Move option and record types into files beside it.`,
      }))
  })
}
