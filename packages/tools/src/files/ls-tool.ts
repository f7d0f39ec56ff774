import type { Dirent, Stats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { toolError, toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import type { Workspace, WorkspacePath } from '../workspace/workspace.ts'
import { showName } from './show-name.ts'

const MAX_SHOWN = 1_000
/** Maximum number of names held in memory for sorting. Only a part of a larger directory is listed. */
const MAX_NAMES = 100_000
const PARALLEL = 32

const input = {
  type: 'object',
  properties: { path: { type: 'string', description: "Path of the directory. Default: '.', the workspace root." } },
  additionalProperties: false,
} as const

interface Listed {
  readonly name: string
  readonly type: 'directory' | 'file' | 'link' | 'other'
  readonly size: number
  readonly modified: string
  readonly denied: boolean
}

/** The tool `ls`, which lists a directory, sorted by name. */
export function lsTool(workspace: Workspace): Tool<InferInput<typeof input>, ToolOutcome> {
  return defineReadTool({
    name: 'ls',
    description:
      'Lists a directory: type, size in bytes, time of the last change and name of each entry, sorted by name. ' +
      'Hidden entries are included; subdirectories are not entered.',
    input,
    timeoutMs: 30_000,
    execute: async ({ path = '.' }, { signal, run }) => {
      const here = await workspace.forRun(run)
      const found = await here.resolve(path)
      const directory = await lstat(found.path)
      if (!directory.isDirectory()) return toolError(`${found.shown} is a file, not a directory. Use read for files.`)
      const { names, complete } = await readNames(found, signal)
      const listed = await describe(here, { found, names: names.slice(0, MAX_SHOWN), signal })
      // Another process may have replaced the directory with a link to one outside while it was listed.
      const again = await here.resolve(path)
      if (again.path !== found.path) return toolError(`${found.shown} was replaced while it was listed. Try again.`)
      return toOutcome({ shown: found.shown, listed, total: names.length, complete })
    },
  })
}

async function readNames(
  { path }: WorkspacePath,
  signal: AbortSignal,
): Promise<{ readonly names: string[]; readonly complete: boolean }> {
  const names: string[] = []
  const directory: AsyncIterable<Dirent> = await opendir(path, { bufferSize: 256 })
  for await (const { name } of directory) {
    signal.throwIfAborted()
    if (names.length === MAX_NAMES) return { names: names.sort(), complete: false }
    names.push(name)
  }
  return { names: names.sort(), complete: true }
}

interface DescribeOptions {
  readonly found: WorkspacePath
  readonly names: readonly string[]
  readonly signal: AbortSignal
}

async function describe(workspace: Workspace, { found, names, signal }: DescribeOptions): Promise<Listed[]> {
  const listed: Listed[] = []
  for (let from = 0; from < names.length; from += PARALLEL) {
    signal.throwIfAborted()
    const batch = names.slice(from, from + PARALLEL).map(async (name): Promise<Listed[]> => {
      const path = join(found.path, name)
      // Another process may remove an entry between `opendir` and `lstat`.
      const stats = await lstat(path).catch(() => undefined)
      if (stats === undefined) return []
      const denied = workspace.judge(path) !== undefined
      return [{ name, type: typeOf(stats), size: stats.size, modified: stats.mtime.toISOString(), denied }]
    })
    listed.push(...(await Promise.all(batch)).flat())
  }
  return listed
}

function typeOf(stats: Stats): Listed['type'] {
  if (stats.isDirectory()) return 'directory'
  if (stats.isFile()) return 'file'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

interface Listing {
  readonly shown: string
  readonly listed: readonly Listed[]
  readonly total: number
  /** Whether all names were read. */
  readonly complete: boolean
}

function toOutcome({ shown, listed, total, complete }: Listing): ToolOutcome {
  const lines = listed.map(({ name, type, size, modified, denied }) => {
    const columns = [
      type.padEnd(9),
      (type === 'file' ? String(size) : '-').padStart(12),
      modified.replace('.000Z', 'Z'),
    ]
    return `${columns.join('  ')}  ${showName(name)}${type === 'directory' ? '/' : ''}${denied ? '  [not readable here]' : ''}`
  })
  if (lines.length === 0) lines.push(`[${shown} is empty.]`)
  if (!complete || total > listed.length) {
    const all = complete ? String(total) : `more than ${total}`
    lines.push(`[${listed.length} of ${all} entries are shown. Use grep with a glob to find files by name and text.]`)
  }
  const entries = listed.map(({ denied, ...entry }) => (denied ? { ...entry, denied } : entry))
  return toolOk(lines.join('\n'), { path: shown, entries, total, complete })
}
