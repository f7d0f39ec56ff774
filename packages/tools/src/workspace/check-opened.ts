import { constants, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import type { PathJudge, PathVerdict } from './path-judge.ts'

/**
 * How files are opened: a link put in the place of the file is refused, and neither a pipe nor a device blocks.
 * Windows has neither flag.
 */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Judges what was opened rather than what was asked for: between looking a path up and opening it, somebody may
 * have put a link in place of one of its directories.
 */
export function checkOpened(descriptor: number, path: string, judge: PathJudge): PathVerdict | 'no-file' {
  if (!fstatSync(descriptor).isFile()) return 'no-file'
  const opened = openedPath(descriptor) ?? confirmedPath(descriptor, path)
  return opened === undefined ? 'outside' : judge(opened)
}

/** The path the kernel keeps for an open file, where it tells (Linux). */
function openedPath(descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).replace(/ \(deleted\)$/, '')
  } catch {
    return undefined
  }
}

/** `path`, when it still leads, without a link, to the very file that is open. */
export function confirmedPath(descriptor: number, path: string): string | undefined {
  try {
    const [open, named] = [fstatSync(descriptor, { bigint: true }), lstatSync(path, { bigint: true })]
    return open.ino === named.ino && open.dev === named.dev ? realpathSync.native(path) : undefined
  } catch {
    return undefined
  }
}
