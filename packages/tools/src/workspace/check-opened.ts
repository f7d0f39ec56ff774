import { constants, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import type { PathJudge, PathVerdict } from './path-judge.ts'

/**
 * Flags for opening files. `O_NOFOLLOW` refuses a link that an attacker put in place of the file. `O_NONBLOCK` keeps a pipe
 * or a device from blocking the call. Windows has neither flag.
 */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Judges the file that was opened instead of the path that was requested. Between the check of a path and its opening,
 * another process can replace one of its directories with a link (a time-of-check to time-of-use attack).
 */
export function checkOpened(descriptor: number, path: string, judge: PathJudge): PathVerdict | 'no-file' {
  if (!fstatSync(descriptor).isFile()) return 'no-file'
  const opened = openedPath(descriptor) ?? confirmedPath(descriptor, path)
  return opened === undefined ? 'outside' : judge(opened)
}

/** Returns the path that the kernel keeps for an open file. Only Linux exposes it. */
function openedPath(descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).replace(/ \(deleted\)$/, '')
  } catch {
    return undefined
  }
}

/**
 * Returns the real path of `path` if it still names the open file itself, without a link at its end. Otherwise returns
 * `undefined`.
 */
export function confirmedPath(descriptor: number, path: string): string | undefined {
  try {
    const [open, named] = [fstatSync(descriptor, { bigint: true }), lstatSync(path, { bigint: true })]
    return open.ino === named.ino && open.dev === named.dev ? realpathSync.native(path) : undefined
  } catch {
    return undefined
  }
}
