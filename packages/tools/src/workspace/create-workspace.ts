import { realpathSync, statSync } from 'node:fs'
import { lstat, open, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { checkOptions, ParleyError, type RunFacts, type OptionKinds } from '@parley/core'
import { checkOpened, OPEN_FLAGS } from './check-opened.ts'
import { createFileQueue, type FileQueue } from './create-file-queue.ts'
import { errorCode, locatePath } from './locate-path.ts'
import { pathFault } from './path-fault.ts'
import { createPathJudge, isInside, type PathJudge, type PathRules, type PathVerdict } from './path-judge.ts'
import { BY_LINK, refuseFailure, refusePath } from './refuse-path.ts'
import { SENSITIVE_NAMES } from './sensitive-names.ts'
import type { Workspace, WorkspaceFile, WorkspacePath } from './workspace.ts'
import { writeFiles } from './write-files.ts'

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

const OUTSIDE = 'it is outside the workspace.'

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

/** A root: its absolute path as it was given, which may go through links, and its real path. */
interface SpelledRoot {
  readonly spelled: string
  readonly real: string
}

function spelledRoot(root: string, path: string): SpelledRoot {
  const spelled = resolve(root)
  return { spelled, real: realRoot(spelled, path) }
}

interface GuardOptions {
  readonly rules: PathRules
  readonly spellings: readonly SpelledRoot[]
  readonly queue: FileQueue
}

type DirectoryGuard = Omit<Workspace, 'forRun'>

function guardDirectories({ rules, spellings, queue }: GuardOptions): DirectoryGuard {
  const { roots } = rules
  const [base = ''] = roots
  const judge = createPathJudge(rules)

  function show(path: string): string {
    if (!isInside(base, path)) return path
    return relative(base, path).split(sep).join('/') || '.'
  }

  /** Returns the path below the real root, even if the path names the root through a link. */
  function absoluteOf(path: string): string {
    if (!isAbsolute(path)) return resolve(base, path)
    const absolute = resolve(path)
    const root = spellings.find(({ spelled }) => isInside(spelled, absolute))
    return root === undefined ? absolute : join(root.real, relative(root.spelled, absolute))
  }

  async function find(path: string, mustExist: boolean): Promise<WorkspacePath> {
    const fault = pathFault(path)
    if (fault !== undefined) refusePath({ path, reason: 'invalid', detail: fault })
    const absolute = absoluteOf(path)
    // Judged before the disk is read, so that the answer does not reveal what exists outside.
    refuseVerdict(path, judge(absolute), `${OUTSIDE} ${hint(roots)}`)
    const location = await locatePath(absolute)
    if (location.type === 'broken-link') return refusePath({ path, reason: 'outside', detail: BY_LINK })
    refuseVerdict(path, judge(location.path), BY_LINK)
    if (location.type === 'failed') return refuseFailure(path, location.code, 'read')
    if (location.type === 'below-file') {
      return refusePath({ path, reason: 'invalid', detail: 'a part of it before the last is a file, not a directory.' })
    }
    const exists = location.type === 'found'
    if (!exists && mustExist) {
      return refusePath({ path, reason: 'missing', detail: `there is no such file or directory. ${hint(roots)}` })
    }
    return { path: location.path, shown: show(location.path), exists }
  }

  const reading: Pick<Workspace, 'judge' | 'resolve' | 'open'> = {
    judge,
    resolve: (path, { mustExist = true } = {}) => find(path, mustExist),
    open: async path => openFile(path, await find(path, true), judge),
  }
  return { ...rules, ...reading, ...writeFiles(reading, queue) }
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

async function openFile(given: string, found: WorkspacePath, judge: PathJudge): Promise<WorkspaceFile> {
  try {
    // Opening a device can have side effects, so the kind of file is checked first.
    const { path } = found
    const kind = await lstat(path)
    if (kind.isDirectory()) {
      refusePath({ path: given, reason: 'unusable', detail: 'it is a directory, not a file. List it with ls.' })
    }
    if (!kind.isFile() && !kind.isSymbolicLink()) refuseNoFile(given)
    const handle = await open(path, OPEN_FLAGS)
    try {
      const verdict = checkOpened(handle.fd, path, judge)
      if (verdict === 'no-file') refuseNoFile(given)
      refuseVerdict(given, verdict, BY_LINK)
      const { size } = await handle.stat()
      return { ...found, handle, size, [Symbol.asyncDispose]: () => handle.close() }
    } catch (error) {
      await handle.close()
      throw error
    }
  } catch (error) {
    if (ParleyError.is(error)) throw error
    return refuseFailure(given, errorCode(error), 'read')
  }
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

function hint(roots: readonly string[]): string {
  if (roots.length === 1) return "Paths are relative to the workspace root; list it with the path '.'."
  return `Paths are relative to the first of the workspace roots: ${roots.join(', ')}.`
}

function refuseVerdict(path: string, verdict: PathVerdict, outside: string): void {
  if (verdict === 'outside') refusePath({ path, reason: 'outside', detail: outside })
  if (verdict === 'sensitive') {
    const detail = 'names like this hold secrets or devices and may not be used. Continue without it, or ask the user.'
    refusePath({ path, reason: 'sensitive', detail })
  }
}

function refuseNoFile(path: string): never {
  return refusePath({ path, reason: 'unusable', detail: 'it is not a regular file, but a pipe, a socket or a device.' })
}
