import { lstat, open } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ParleyError } from '@parley/core'
import { checkOpened, OPEN_FLAGS } from './check-opened.ts'
import type { FileQueue } from './create-file-queue.ts'
import { errorCode, locatePath } from './locate-path.ts'
import { pathFault } from './path-fault.ts'
import { createPathJudge, isInside, type PathJudge, type PathRules, type PathVerdict } from './path-judge.ts'
import { BY_LINK, refuseFailure, refusePath } from './refuse-path.ts'
import type { Workspace, WorkspaceFile, WorkspacePath } from './workspace.ts'
import { writeFiles } from './write-files.ts'

/** A root: its absolute path as it was given, which may go through links, and its real path. */
export interface SpelledRoot {
  readonly spelled: string
  readonly real: string
}

interface GuardOptions {
  readonly rules: PathRules
  readonly spellings: readonly SpelledRoot[]
  readonly queue: FileQueue
}

/** A workspace for one choice of directories. */
export type DirectoryGuard = Omit<Workspace, 'forRun'>

const OUTSIDE = 'it is outside the workspace.'

/** Keeps paths inside directories. Refuses a path that leads outside, also through a symbolic link, or that has a refused name. */
export function guardDirectories({ rules, spellings, queue }: GuardOptions): DirectoryGuard {
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
