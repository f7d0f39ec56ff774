import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, type Stats } from 'node:fs'
import { join, relative } from 'node:path'

/** A tree of files that programs may change, and that can be put back as it was. */
export interface KeptTree {
  /** Returns every file of the tree, with its content. @param without A directory of the tree that is left out. */
  snapshot(without?: string): string
  /** Puts back every file that was changed, added or removed. */
  reset(): void
}

interface Entry {
  readonly line: string
  /** Changes with each write, and when another file takes the name. */
  readonly identity: string
  readonly isDirectory: boolean
  /** Where a symbolic link leads. */
  readonly target: string | undefined
}

/** A file system counts time in steps. A file that changed this shortly before it was read may change again unseen. */
const STEP_MS = 100

/** Keeps a copy of a tree. Files that have not changed since they were read are not read again, and not put back. */
export function keepTree(root: string, copy: string): KeptTree {
  const known = new Map<string, Entry>()

  function entryOf(path: string): Entry {
    const at = Date.now()
    const stats = lstatSync(path)
    const identity = `${stats.ino} ${stats.ctimeMs} ${stats.size}`
    const before = known.get(path)
    if (before?.identity === identity) return before
    const target = stats.isSymbolicLink() ? readlinkSync(path) : undefined
    const line = target === undefined ? lineOf(relative(root, path), path, stats) : `${relative(root, path)} -> ${target}`
    const entry = { line, identity, isDirectory: stats.isDirectory(), target }
    if (!entry.isDirectory && stats.ctimeMs < at - STEP_MS) known.set(path, entry)
    return entry
  }

  function read(without?: string): ReadonlyMap<string, Entry> {
    const found = new Map<string, Entry>()
    const visit = (directory: string): void => {
      for (const name of readdirSync(directory).toSorted()) {
        const path = join(directory, name)
        if (path === without) continue
        const entry = entryOf(path)
        found.set(relative(root, path), entry)
        if (entry.isDirectory) visit(path)
      }
    }
    visit(root)
    return found
  }

  /** Directories change with what they contain, which is compared itself. */
  function isSame(now: Entry | undefined, before: Entry): boolean {
    return now?.line === before.line && (before.isDirectory || now.identity === before.identity)
  }

  /** Puts back one entry. What a directory contains follows after it. */
  function putBack(name: string, before: Entry): void {
    const path = join(root, name)
    rmSync(path, { recursive: true, force: true })
    if (before.isDirectory) mkdirSync(path)
    else if (before.target !== undefined) symlinkSync(before.target, path)
    else cpSync(join(copy, name), path, { verbatimSymlinks: true, preserveTimestamps: true })
    original.set(name, { ...before, identity: entryOf(path).identity })
  }

  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  const original = new Map(read())
  return {
    snapshot: without => Array.from(read(without).values(), ({ line }) => line).join('\n'),
    reset() {
      const now = read()
      for (const name of now.keys()) if (!original.has(name)) rmSync(join(root, name), { recursive: true, force: true })
      for (const [name, before] of original) if (!isSame(now.get(name), before)) putBack(name, before)
    },
  }
}

function lineOf(name: string, path: string, stats: Stats): string {
  if (stats.isDirectory()) return `${name}/ ${stats.mode}`
  return `${name} ${stats.mode} ${JSON.stringify(readFileSync(path, 'latin1'))}`
}
