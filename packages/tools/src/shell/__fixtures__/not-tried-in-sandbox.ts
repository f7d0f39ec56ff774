import { existsSync } from 'node:fs'
import { notTried } from '@parley-tooling/test-run/not-tried'
import type { TestContext } from 'vitest'
import { PLACES } from '../sandbox/find-sandbox.ts'

/** Skips a test that needs a sandbox. */
export function notTriedInSandbox(context: TestContext): never {
  const why = PLACES.some(place => existsSync(place))
    ? 'the system does not permit bubblewrap to make namespaces'
    : 'bubblewrap (bwrap) is not installed'
  return notTried(context, 'commands in a sandbox', why)
}
