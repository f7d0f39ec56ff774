import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { literalPattern, findProtected, type ProtectedNames } from './protected-names.ts'
import type { ReadArguments } from '../grammar/read-arguments.ts'
import type { PrepareCommand } from '../shell-policy.ts'

/** Writes the options that make a program skip names. */
export type SkipOptions = (names: ProtectedNames) => readonly string[]

/** Makes a search skip denied names in the directories that it searches: those it names, else the working directory. */
export function prepareSearch(paths: readonly string[], skip: SkipOptions): PrepareCommand {
  return async ({ workspace, cwd, argv }) => {
    const searched = paths.length > 0 ? paths : ['.']
    const real = searched.map(path => realpath(resolve(cwd, path)).catch(() => resolve(cwd, path)))
    const names = await findProtected(workspace, await Promise.all(real))
    if (typeof names === 'string') return names
    // After the requested options, because the last matching pattern decides, and before the operands.
    const dashes = argv.indexOf('--')
    const end = dashes < 0 ? argv.length : dashes
    return { argv: [...argv.slice(0, end), ...skip(names), ...argv.slice(end)] }
  }
}

/** Returns the operands that name files or directories. */
export function pathOperands({ operands }: ReadArguments): readonly string[] {
  return operands.filter(({ kind }) => kind === 'path').map(({ value }) => value)
}

export const skipByGrep: SkipOptions = ({ files, directories }) => [
  ...files.map(name => `--exclude=${literalPattern(name)}`),
  ...directories.map(name => `--exclude-dir=${literalPattern(name)}`),
]

/**
 * Returns options with which ripgrep skips the names. They are `--iglob` options because ripgrep obeys the last glob
 * that matches and reads `--iglob` after `--glob`, so a glob of the caller cannot undo them.
 */
export const skipByRipgrep: SkipOptions = ({ files, directories }) =>
  [...files, ...directories].map(name => `--iglob=!**/${literalPattern(name)}`)

export const skipByTar: SkipOptions = ({ files, directories }) =>
  [...files, ...directories].map(name => `--exclude=${literalPattern(name)}`)
