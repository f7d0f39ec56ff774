import { randomBytes } from 'node:crypto'
import { constants, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { access, lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from './locate-path.ts'
import type { PathJudge } from './path-judge.ts'

/** Why the file was not replaced. */
export type ReplaceFault = 'outside' | 'not-a-file' | 'read-only' | 'no-directory' | 'changed'

export interface ReplaceOptions {
  readonly judge: PathJudge
  /** State of the file when its content was read. If the state has changed since, the file is not replaced. @default any state */
  readonly expected?: FileVersion | undefined
}

/** Identifies one state of a file. */
export type FileVersion = Pick<Stats, 'ino' | 'dev' | 'size' | 'mtimeMs' | 'ctimeMs'>

/**
 * Replaces a file in one step: readers see the old content or the new content, even after a crash. Keeps the mode and
 * owner of an existing file. Hard links to it keep the old content.
 * @param path Real path that was judged. Its directory is judged again after it is opened.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { judge, expected }: ReplaceOptions,
): Promise<ReplaceFault | undefined> {
  const directory = await openDirectory(dirname(path)).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) return undefined
    throw error
  })
  if (directory === undefined) return 'no-directory'
  await using _ = directory
  if (judge(join(directory.real(), basename(path))) !== undefined) return 'outside'
  const target = directory.at(basename(path))
  const before = await statOf(target)
  const fault = faultOf(before, expected) ?? (await writeFault(target, before))
  if (fault !== undefined) return fault
  const temporary = directory.at(`.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeNew(temporary, content, before)
    const late = faultOf(await statOf(target), expected)
    if (late !== undefined) return late
    await rename(temporary, target)
    return undefined
  } finally {
    // After a successful rename the temporary file no longer exists.
    await unlink(temporary).catch(() => {})
  }
}

interface OpenDirectory extends AsyncDisposable {
  /** Returns the directory's current real path. */
  real(): string
  /** Returns a path of an entry. On Linux it stays valid if the directory is moved or replaced by a link. */
  at(name: string): string
}

async function openDirectory(path: string): Promise<OpenDirectory> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0))
  const close = { [Symbol.asyncDispose]: () => handle.close() }
  if (process.platform === 'linux') {
    const link = `/proc/self/fd/${handle.fd}`
    return { ...close, real: () => readlinkSync(link), at: name => `${link}/${name}` }
  }
  return { ...close, real: () => realpathSync.native(path), at: name => join(path, name) }
}

async function statOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
}

function faultOf(now: Stats | undefined, expected: FileVersion | undefined): ReplaceFault | undefined {
  if (now !== undefined && !now.isFile()) return 'not-a-file'
  return expected === undefined || (now !== undefined && isSameVersion(now, expected)) ? undefined : 'changed'
}

function isSameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
}

/** Refuses a read-only file. The rename would succeed, because it only needs write permission for the directory. */
async function writeFault(path: string, before: Stats | undefined): Promise<ReplaceFault | undefined> {
  if (before === undefined) return undefined
  const writable =
    (before.mode & 0o222) !== 0 &&
    (await access(path, constants.W_OK).then(
      () => true,
      () => false,
    ))
  return writable ? undefined : 'read-only'
}

async function writeNew(path: string, content: string | Uint8Array, before: Stats | undefined): Promise<void> {
  const handle: FileHandle = await open(path, 'wx', before === undefined ? 0o666 : 0o600)
  try {
    await handle.writeFile(content)
    if (before !== undefined) {
      // Only a privileged process may change a file's owner. Otherwise this process owns the new file.
      await handle.chown(before.uid, before.gid).catch(() => {})
      await handle.chmod(before.mode & 0o7777)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}
