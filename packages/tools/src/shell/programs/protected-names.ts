import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Workspace } from '../../workspace/workspace.ts'

/** Names in a directory tree that a command must not read. */
export interface ProtectedNames {
  readonly files: readonly string[]
  readonly directories: readonly string[]
}

const MAX_ENTRIES = 300_000

/**
 * Returns the last segment of every denied path below some paths. A program that searches directories reads more files than its
 * arguments name, so it is told to skip these names. Symbolic links are not followed.
 * @returns A sentence with the reason if there are too many files to judge.
 */
export async function findProtected(workspace: Workspace, paths: readonly string[]): Promise<ProtectedNames | string> {
  const files = new Set<string>()
  const directories = new Set<string>()
  const open = [...paths]
  let seen = 0
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    // Not a directory, or not readable: the program itself reports that.
    const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
    seen += entries.length
    if (seen > MAX_ENTRIES) return `There are more than ${MAX_ENTRIES} files to search. Name a smaller directory.`
    for (const entry of entries) {
      const child = join(path, entry.name)
      if (workspace.judge(child) !== undefined) (entry.isDirectory() ? directories : files).add(basename(child))
      else if (entry.isDirectory()) open.push(child)
    }
  }
  return { files: [...files], directories: [...directories] }
}

/** Escapes a name so that a program takes it literally where it expects a wildcard pattern. */
export function literalPattern(name: string): string {
  return name.replaceAll(/[*?[\]{}\\!]/g, '\\$&')
}
