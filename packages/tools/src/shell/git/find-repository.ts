import { lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '../../workspace/path-judge.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** A repository that lies in the workspace with everything that git reads of it. */
export interface Repository {
  readonly workTree: string
  /** Directory with `HEAD` and the index. */
  readonly gitDir: string
  /** Directory with objects and references. It differs from `gitDir` in a linked working tree. */
  readonly commonDir: string
}

/**
 * Finds the repository of a directory: the next `.git` above it, in the same root. A directory that only looks like a repository,
 * which an agent can write, is not one. Nor is a repository that reads other directories through links or alternates.
 * @returns `undefined` if there is no repository, and a sentence with the reason if there is one that may not be used.
 */
export async function findRepository(
  { roots }: Pick<Workspace, 'roots'>,
  cwd: string,
): Promise<Repository | string | undefined> {
  const root = roots.filter(one => isInside(one, cwd)).toSorted((a, b) => b.length - a.length)[0]
  if (root === undefined) return undefined
  for (let directory = cwd; isInside(root, directory); directory = dirname(directory)) {
    const entry = await lstat(join(directory, '.git')).catch(() => undefined)
    if (entry === undefined) continue
    return openRepository(directory, roots)
  }
  return undefined
}

const BROKEN = 'This git repository cannot be read.'
const FOREIGN = 'This git repository uses files outside the workspace, or links. It may not be used here.'

async function openRepository(workTree: string, roots: readonly string[]): Promise<Repository | string> {
  try {
    const gitDir = await followFile(join(workTree, '.git'), /^gitdir: (.+?)\s*$/)
    const commonDir = await followCommon(gitDir)
    const inside = [gitDir, commonDir].every(directory => roots.some(root => isInside(root, directory)))
    if (!inside || (await isForeign(gitDir, commonDir))) return FOREIGN
    return { workTree, gitDir, commonDir }
  } catch {
    return BROKEN
  }
}

/** Returns the directory that `.git` is, or that the file `.git` names. */
async function followFile(path: string, line: RegExp): Promise<string> {
  const entry = await lstat(path)
  if (!entry.isFile()) return realpath(path)
  const target = line.exec(await readShort(path))?.[1]
  if (target === undefined) throw new Error('not a git file')
  return realpath(resolve(dirname(path), target))
}

async function followCommon(gitDir: string): Promise<string> {
  const path = join(gitDir, 'commondir')
  const entry = await lstat(path).catch(() => undefined)
  if (entry === undefined) return gitDir
  if (!entry.isFile()) throw new Error('not a file')
  return realpath(resolve(gitDir, (await readShort(path)).trim()))
}

/** Reads a small file of a repository, which no link may stand for. */
export async function readShort(path: string): Promise<string> {
  const entry = await lstat(path)
  if (!entry.isFile() || entry.size > 4_096) throw new Error('not a small file')
  return readFile(path, 'utf8')
}

async function isForeign(gitDir: string, commonDir: string): Promise<boolean> {
  const objects = join(commonDir, 'objects')
  const info = await readdir(join(objects, 'info')).catch(() => [])
  if (info.some(name => name.endsWith('alternates'))) return true
  const files = [join(gitDir, 'index'), join(commonDir, 'packed-refs'), join(commonDir, 'shallow'), objects]
  for (const file of files) {
    if ((await lstat(file).catch(() => undefined))?.isSymbolicLink() === true) return true
  }
  const trees = [
    hasLink(objects, 2),
    ...[commonDir, gitDir].flatMap(one => [hasLink(join(one, 'refs'), 20), hasLink(join(one, 'logs'), 20)]),
  ]
  return (await Promise.all(trees)).includes(true)
}

/** Returns whether a directory is or holds a symbolic link, down to a depth. */
async function hasLink(directory: string, depth: number): Promise<boolean> {
  const own = await lstat(directory).catch(() => undefined)
  if (own?.isSymbolicLink() === true) return true
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  if (entries.some(entry => entry.isSymbolicLink())) return true
  if (depth <= 1) return false
  const children = entries
    .filter(entry => entry.isDirectory())
    .map(entry => hasLink(join(directory, entry.name), depth - 1))
  return (await Promise.all(children)).includes(true)
}
