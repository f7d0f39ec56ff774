import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Ways to run a program in a network of its own, which has not even a loopback that is up. */
const WAYS: readonly (readonly string[])[] = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
]

/** The first way that works here; empty when none does. */
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
