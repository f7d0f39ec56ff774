import { AsyncLocalStorage } from 'node:async_hooks'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CrashPoint } from '../points/crash-point.ts'
import type { MarkedCall } from '../process/mark.ts'
import type { MarkWriter } from './mark-writer.ts'

/** A handler at work. */
export interface Handling {
  readonly call: MarkedCall
  /** Changes so far. */
  changes: number
  isOver: boolean
}

/** Finds the handler that the running code belongs to, also after it has returned. */
export const handling = new AsyncLocalStorage<Handling>()

const SYNC = [
  'appendFileSync',
  'writeFileSync',
  'writeSync',
  'copyFileSync',
  'renameSync',
  'mkdirSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
  'truncateSync',
  'symlinkSync',
  'linkSync',
] as const
const ASYNC = [
  'appendFile',
  'writeFile',
  'copyFile',
  'rename',
  'mkdir',
  'rm',
  'rmdir',
  'unlink',
  'truncate',
  'symlink',
  'link',
] as const

export interface WatchOptions {
  readonly marks: MarkWriter
  readonly point: CrashPoint | undefined
  /** Places that the snapshots of the world show. */
  readonly seen: readonly string[]
  /** Whether the module shows its world itself. */
  readonly hasWorld: () => boolean
}

/**
 * Notices each change that the program makes through `node:fs` and `fetch`, and kills the process after the one of the point.
 * Changes that it does not notice still show in the snapshots of the world.
 */
export function watchChanges({ marks, point, seen, hasWorld }: WatchOptions): void {
  const changed = (what: string, isBlind: boolean): void => {
    const current = handling.getStore()
    const call = current?.call
    const number = current === undefined ? 0 : ++current.changes
    marks.write({
      type: 'touch',
      call,
      number,
      what,
      isLate: current?.isOver ?? false,
      isBlind: isBlind && !hasWorld(),
    })
    if (point?.type !== 'change' || call === undefined) return
    if (point.run === call.run && point.callId === call.callId && point.change === number) marks.kill()
  }
  const isSeen = (path: string): boolean => seen.some(place => path === place || path.startsWith(`${place}/`))
  const onFile = (name: string, given: readonly unknown[]): void => {
    // The second path is the one that `rename`, `copyFile` and `link` create.
    const paths = given.slice(0, 2).flatMap(pathOf)
    const target = (/^(?:rename|copy|link|symlink)/.test(name) ? paths[1] : paths[0]) ?? ''
    if (target === '/dev/null') return
    changed(`${name.replace('Sync', '')} ${relative(process.cwd(), target)}`, target !== '' && !isSeen(target))
  }
  replaceAll(fs as unknown as Functions, SYNC, (name, given) => onFile(name, given))
  replaceAll(fs.promises as unknown as Functions, ASYNC, (name, given) => onFile(name, given))
  watchDatabases(changed)
  watchFetch(changed)
  syncBuiltinESMExports()
}

/** Above 0 inside a watched function, which may call others, and inside `unwatched`. */
let depth = 0

/** Calls a function whose changes do not count. */
export function unwatched<TResult>(work: () => TResult): TResult {
  depth += 1
  try {
    return work()
  } finally {
    depth -= 1
  }
}

type Functions = Record<string, (...given: unknown[]) => unknown>

function replaceAll(
  target: Functions,
  names: readonly string[],
  after: (name: string, given: readonly unknown[]) => void,
): void {
  for (const name of names) {
    const original = target[name]
    if (original === undefined) continue
    target[name] = (...given) => {
      depth += 1
      let result: unknown
      try {
        result = original.apply(target, given)
      } finally {
        depth -= 1
      }
      if (depth > 0) return result
      if (result instanceof Promise)
        return result.then(value => {
          after(name, given)
          return value as unknown
        })
      after(name, given)
      return result
    }
  }
}

/** Programs that use another SQLite package have no kill points between their statements. */
function watchDatabases(changed: (what: string, isBlind: boolean) => void): void {
  const { DatabaseSync, StatementSync } = process.getBuiltinModule('node:sqlite')
  for (const [prototype, name] of [
    [DatabaseSync.prototype, 'exec'],
    [StatementSync.prototype, 'run'],
  ] as const) {
    const functions = prototype as unknown as Functions
    const original = functions[name]
    if (original === undefined) continue
    functions[name] = function statement(this: unknown, ...given) {
      const result = original.apply(this, given)
      if (depth === 0) changed(`${name} of a database`, false)
      return result
    }
  }
}

function watchFetch(changed: (what: string, isBlind: boolean) => void): void {
  const original = globalThis.fetch
  globalThis.fetch = async (resource, init) => {
    const response = await original(resource, init)
    const isRequest = resource instanceof Request
    const method = (init?.method ?? (isRequest ? resource.method : 'GET')).toUpperCase()
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS')
      changed(`${method} ${isRequest ? resource.url : String(resource)}`, true)
    return response
  }
}

function pathOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [resolve(value)]
  return value instanceof URL && value.protocol === 'file:' ? [fileURLToPath(value)] : []
}
