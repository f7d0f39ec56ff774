import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A sandbox of the operating system. */
export interface Sandbox {
  readonly name: 'bubblewrap'
  /** The program that sets it up. */
  readonly program: string
}

/** Places of `bwrap`. The search path is not used, because it could have a directory that an agent writes. */
export const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']
/**
 * Options that every sandbox uses, to try whether the system permits them. A container often permits only a part of
 * them.
 */
const TRIAL = [
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--tmpfs',
  '/tmp',
  '--unshare-pid',
  '--unshare-net',
]

/**
 * Returns the sandbox of this machine, found by trying it: bubblewrap on Linux, if it is installed and the system permits it. Else
 * `undefined`, and only the policy protects the machine.
 */
export async function findSandbox(places: readonly string[] = PLACES): Promise<Sandbox | undefined> {
  if (process.platform !== 'linux') return undefined
  for (const program of places) {
    const works = await run(program, [...TRIAL, '--', '/bin/sh', '-c', 'exit 0'], { timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (works) return { name: 'bubblewrap', program }
  }
  return undefined
}
