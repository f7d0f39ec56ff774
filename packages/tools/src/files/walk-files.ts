import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import type { PathJudge } from '../workspace/path-judge.ts'
import { ignoreRulesFor, isIgnored, withIgnoreFile, type IgnoreRules } from './ignore-rules.ts'

/** Directories that hold only generated or installed files. */
const SKIPPED = new Set(['.git', 'node_modules'])
const MAX_DEPTH = 64

export interface WalkOptions {
  /** The root of the workspace that `directory` lies in. */
  readonly root: string
  readonly directory: string
  readonly judge: PathJudge
}

/** A file below the walked directory. */
export interface WalkedFile {
  readonly path: string
  /** Path relative to the walked directory, with `/`. */
  readonly name: string
}

/**
 * Yields the regular files below a directory, sorted by name. Skips `.git`, `node_modules`, what .gitignore files exclude
 * and what the workspace denies. Does not follow symbolic links.
 */
export function* walkFiles({ root, directory, judge }: WalkOptions): Generator<WalkedFile, void, void> {
  const stack = [{ path: directory, name: '', rules: ignoreRulesFor(root, directory), depth: 0 }]
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    const { path, name, rules, depth } = current
    const entries = readEntries(path).filter(entry => isWanted(entry, { parent: path, rules, judge }))
    for (const entry of entries) if (entry.isFile()) yield { path: join(path, entry.name), name: name + entry.name }
    if (depth === MAX_DEPTH) continue
    for (const entry of entries.toReversed()) {
      if (!entry.isDirectory()) continue
      const below = join(path, entry.name)
      stack.push({ path: below, name: `${name}${entry.name}/`, rules: withIgnoreFile(rules, below), depth: depth + 1 })
    }
  }
}

function readEntries(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

interface Surroundings {
  readonly parent: string
  readonly rules: IgnoreRules
  readonly judge: PathJudge
}

function isWanted(entry: Dirent, { parent, rules, judge }: Surroundings): boolean {
  const isDirectory = entry.isDirectory()
  if (!isDirectory && !entry.isFile()) return false
  if (isDirectory && SKIPPED.has(entry.name)) return false
  const path = join(parent, entry.name)
  return judge(path) === undefined && !isIgnored(rules, path, isDirectory)
}
