import { once } from 'node:events'

/**
 * Resolves at the first SIGINT or SIGTERM, so that the command can close its resources first. The next signal exits at
 * once.
 */
export async function waitForInterrupt(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
}
