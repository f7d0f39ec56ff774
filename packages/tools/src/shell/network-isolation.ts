import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Commands that run a program in its own network namespace, in which even the loopback interface is down. */
const WAYS: readonly (readonly string[])[] = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
]

/** Returns the first command that works on this machine. Empty if none does. */
export async function findNetworkIsolation(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return []
  for (const way of WAYS) {
    const [program = '', ...args] = way
    const works = await run(program, [...args, 'true'], { timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (works) return way
  }
  return []
}
