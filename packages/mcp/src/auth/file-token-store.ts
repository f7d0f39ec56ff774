import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomUUID } from 'node:crypto'
import { ParleyError } from '@parley/core'
import { createKeyedQueue } from './keyed-queue.ts'
import type { McpCredentials, McpTokenStore } from './mcp-token-store.ts'

type Contents = Record<string, McpCredentials>

const POLL_MS = 25
const STALE_MS = 60_000

/**
 * Keeps credentials in a JSON file that only its owner can read (mode 0600). The file is not encrypted. Several processes
 * may use it concurrently: a lock file prevents them from refreshing the same token twice. The lock of a process that died
 * is ignored after a minute.
 * @throws ParleyError `file-unreadable` from `read` and `write` if the file is not one that this store wrote.
 */
export function createFileTokenStore(path: string): McpTokenStore {
  const queue = createKeyedQueue()
  const lock = `${path}.lock`

  return {
    read: async key => (await readContents(path))[key],
    write: (key, credentials) =>
      // Each write replaces the whole file, so writers of different keys take turns, in other processes too.
      queue.run('write', () =>
        whileLocked(`${path}.write`, async () => {
          const contents = await readContents(path)
          if (credentials === undefined) delete contents[key]
          else contents[key] = credentials
          await replaceFile(path, `${JSON.stringify(contents, undefined, 2)}\n`)
        }),
      ),
    exclusively: (key, work) => queue.run(`work ${key}`, () => queue.run('lock', () => whileLocked(lock, work))),
  }
}

async function readContents(path: string): Promise<Contents> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw unreadable(path, error)
  }
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Contents
  } catch (error) {
    throw unreadable(path, error)
  }
  throw unreadable(path, new Error('the file must hold a JSON object'))
}

function unreadable(path: string, cause: unknown): ParleyError {
  const detail = cause instanceof Error ? cause.message : String(cause)
  return new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
}

/** Replaces the file by a rename, so that a reader never sees half of it. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function whileLocked<TResult>(lock: string, work: () => Promise<TResult>): Promise<TResult> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 })
  while (!(await takeLock(lock))) await new Promise(resolve => setTimeout(resolve, POLL_MS))
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const age = await stat(lock).then(
      ({ mtimeMs }) => performance.timeOrigin + performance.now() - mtimeMs,
      () => 0,
    )
    if (age > STALE_MS) await rm(lock, { force: true })
    return false
  }
}
