import { installPrograms } from '@parley-tooling/runtimes/install-programs'
import { canSkip } from './find-restate-server.ts'

/** Runs once, before the first test of a server. Without the Restate server only its own tests fail, each with the reason. */
export async function setup(): Promise<void> {
  if (canSkip) return
  await installPrograms().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
}
