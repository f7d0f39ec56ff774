import { realpathSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkOptions, ParleyError, type RunFacts, type OptionKinds } from '@parley/core'
import { createFileQueue } from './create-file-queue.ts'
import { guardDirectories, type DirectoryGuard, type SpelledRoot } from './guard-directories.ts'
import { errorCode } from './locate-path.ts'
import type { PathRules } from './path-judge.ts'
import { SENSITIVE_NAMES } from './sensitive-names.ts'
import type { Workspace } from './workspace.ts'

export interface WorkspaceOptions {
  /** Directories that tools may use, with everything below them. At least one. Each must exist. */
  readonly roots: readonly string[]
  /**
   * Names to refuse inside the roots, such as `.env*`, `.git/config` or `*.pem`. `*` matches any text within a segment. An
   * entry matches at any depth, with everything below it. An entry that starts with `!` allows a name again. If several
   * entries match, the last one decides. Case is ignored. This replaces the default: to extend it, write
   * `[...SENSITIVE_NAMES, 'mine']`. @default SENSITIVE_NAMES
   */
  readonly denied?: readonly string[] | undefined
  /**
   * Additional directories that a run may have as its own directory (`RunOptions.workspace`), with everything below them. Only
   * such a run can use them. Each must exist. @default none: a run's own directory must lie in the roots
   */
  readonly runRoots?: readonly string[] | undefined
}

const OPTIONS: OptionKinds<WorkspaceOptions> = {
  roots: 'strings!',
  denied: 'strings',
  runRoots: 'strings',
}

/**
 * Creates a guard that limits file tools to directories. It checks paths and does not confine processes. It cannot recognize a
 * hard link to a file outside. A model that may run commands can bypass it.
 * @throws ParleyError `config-invalid` if `roots` is empty or an entry is not a directory.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  checkOptions('createWorkspace', options, OPTIONS)
  const { roots: given, denied = SENSITIVE_NAMES, runRoots: further = [] } = options
  if (given.length === 0)
    throw new ParleyError({ code: 'config-invalid', path: 'roots', detail: 'must have at least one entry' })
  const own = given.map((root, index) => spelledRoot(root, `roots.${index}`))
  const spellings = [...own, ...further.map((root, index) => spelledRoot(root, `runRoots.${index}`))]
  const queue = createFileQueue()
  const guard = (rules: PathRules): DirectoryGuard => guardDirectories({ rules, spellings, queue })
  const rules = { roots: own.map(root => root.real), denied }
  const choice = { roots: spellings.map(root => root.real), denied }
  const chooser = guard(choice)

  async function forRun({ workspace: directory }: Pick<RunFacts, 'workspace'>): Promise<Workspace> {
    if (directory === undefined) return whole
    const root = await chooseDirectory(chooser, directory)
    return { ...guard({ roots: [root], denied, within: choice }), forRun }
  }

  const whole: Workspace = { ...guard(rules), forRun }
  return whole
}

function spelledRoot(root: string, path: string): SpelledRoot {
  const spelled = resolve(root)
  return { spelled, real: realRoot(spelled, path) }
}

const NOT_CHOSEN: Partial<Record<string, string>> = {
  outside: 'is, or leads, outside of the directories that the tools may use',
  sensitive: 'has a name that the tools may not use',
  missing: 'does not exist',
}

/** Returns the real path of the directory that a run was given. */
async function chooseDirectory(chooser: DirectoryGuard, directory: string): Promise<string> {
  const refuse = (detail: string): never => {
    throw new ParleyError({ code: 'config-invalid', path: 'run.workspace', detail: `'${directory}' ${detail}` })
  }
  try {
    const { path } = await chooser.resolve(directory)
    if ((await stat(path)).isDirectory()) return path
  } catch (error) {
    if (!ParleyError.is(error, 'path-refused')) throw error
    return refuse(NOT_CHOSEN[error.info.reason] ?? 'cannot be used')
  }
  return refuse('is not a directory')
}

function realRoot(root: string, path: string): string {
  try {
    const real = realpathSync.native(root)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    throw new ParleyError(
      { code: 'config-invalid', path, detail: `'${root}' cannot be used (${errorCode(error)})` },
      { cause: error },
    )
  }
  throw new ParleyError({ code: 'config-invalid', path, detail: `'${root}' is not a directory` })
}
