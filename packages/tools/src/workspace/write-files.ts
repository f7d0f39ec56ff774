import type { Stats } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ParleyError } from '@parley/core'
import type { FileQueue } from './create-file-queue.ts'
import { errorCode } from './locate-path.ts'
import { readBytes } from './read-bytes.ts'
import { refuseFailure, refusePath } from './refuse-path.ts'
import { replaceFile, type ReplaceFault } from './replace-file.ts'
import type { Workspace, WorkspaceFile, WorkspacePath } from './workspace.ts'

/** Maximum size of a file that `update` changes, because its content is held in memory. */
const MAX_UPDATE_BYTES = 10_000_000

type FileReading = Pick<Workspace, 'judge' | 'resolve' | 'open'>

/** Implements writing on top of resolving and reading. Workspaces over the same files must share the queue. */
export function writeFiles(
  { judge, resolve, open }: FileReading,
  queue: FileQueue,
): Pick<Workspace, 'write' | 'update'> {
  async function settle(given: string, found: WorkspacePath, write: () => Promise<ReplaceFault | undefined>) {
    try {
      const fault = await write()
      if (fault !== undefined) refuseFault(given, fault)
      return { ...found, exists: true }
    } catch (error) {
      if (ParleyError.is(error)) throw error
      return refuseFailure(given, errorCode(error), 'write')
    }
  }

  return {
    async write(path, content, { createDirectories = false } = {}) {
      if (/[\\/]$/.test(path)) refusePath({ path, reason: 'invalid', detail: 'it ends like a directory. Name a file.' })
      return queue.run(resolve(path, { mustExist: false }), async first => {
        if (createDirectories && !first.exists) await makeDirectories(path, first)
        // Resolved again, because earlier writes in the queue may have changed where the path leads.
        const found = await resolve(path, { mustExist: false })
        return settle(path, found, () => replaceFile(found.path, content, { judge }))
      })
    },
    async update(path, change) {
      return queue.run(resolve(path), async () => {
        const { found, content, version } = await readWhole(path, await open(path))
        const changed = change(content)
        if (changed === undefined) return found
        return settle(path, found, () => replaceFile(found.path, changed, { judge, expected: version }))
      })
    },
  }
}

interface WholeFile {
  readonly found: WorkspacePath
  readonly content: Buffer
  readonly version: Stats
}

async function readWhole(given: string, opened: WorkspaceFile): Promise<WholeFile> {
  await using file = opened
  const { path, shown, exists, size, handle } = file
  if (size > MAX_UPDATE_BYTES) {
    const detail = `it has ${size} bytes; files up to ${MAX_UPDATE_BYTES} can be changed. Write a new one instead.`
    refusePath({ path: given, reason: 'unusable', detail })
  }
  const version = await handle.stat()
  const content = await readBytes(handle, version.size)
  return { found: { path, shown, exists }, content, version }
}

async function makeDirectories(given: string, { path }: WorkspacePath): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
  } catch (error) {
    refuseFailure(given, errorCode(error), 'write')
  }
}

function refuseFault(path: string, fault: ReplaceFault): never {
  switch (fault) {
    case 'outside':
      return refusePath({ path, reason: 'outside', detail: 'its directory was replaced while it was being written.' })
    case 'not-a-file':
      return refusePath({ path, reason: 'unusable', detail: 'it is a directory or a special file, not a plain file.' })
    case 'read-only':
      return refusePath({ path, reason: 'unusable', detail: 'it is marked read-only. Leave it, or ask the user.' })
    case 'no-directory':
      return refusePath({
        path,
        reason: 'missing',
        detail: 'its directory does not exist. Check the path, or set createDirectories to true.',
      })
    case 'changed':
      return refusePath({
        path,
        reason: 'unusable',
        detail: 'another process changed it after it was read, so nothing was written. Read it again, then try again.',
      })
  }
}
