import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles } from './list-files.ts'
import { syncMarkdown } from './sync-markdown.ts'

export interface SyncOptions {
  /** The folder whose Markdown files are read, at any depth. */
  readonly root: string
  /** Whether stale blocks are rewritten instead of reported. @default false */
  readonly write?: boolean | undefined
}

export interface SyncReport {
  /** The remaining problems, each as `file:line  message`. */
  readonly problems: readonly string[]
  /** Paths of the rewritten files. */
  readonly written: readonly string[]
  /** The number of Markdown files read. */
  readonly files: number
}

/**
 * Checks that every code block in the Markdown of the repository equals its example. With `write`, replaces the blocks
 * that differ.
 */
export function syncSnippets({ root, write = false }: SyncOptions): SyncReport {
  const problems: string[] = []
  const written: string[] = []
  const files = listFiles(root, name => name.endsWith('.md') && name !== 'CHANGELOG.md')
  for (const file of files) {
    const folder = dirname(join(root, file))
    const before = readFileSync(join(root, file), 'utf8')
    const { text, stale, broken } = syncMarkdown(before, path => readIfThere(join(folder, path)))
    const rewrite = write && stale.length > 0
    if (rewrite) {
      writeFileSync(join(root, file), text)
      written.push(file)
    }
    const open = (rewrite ? broken : [...broken, ...stale]).toSorted((a, b) => a.line - b.line)
    problems.push(...open.map(({ line, message }) => `${file}:${line}  ${message}`))
  }
  return { problems, written, files: files.length }
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
