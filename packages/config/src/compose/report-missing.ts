import type { KeyPath } from '../schema/config.ts'
import type { Reporter } from './reporter.ts'

/** Reports a section that the registry of the program has no service for. */
export function reportMissing(reporter: Reporter, key: KeyPath): void {
  const cure = "pass standardRegistry() of '@parley/config/standard' to composeConfig, or a service of your own"
  reporter.report(key, `cannot be used: the registry of this program has no service for it; ${cure}`)
}
