import { notTried } from '@parley-tooling/test-run/not-tried'
import type { TestContext } from 'vitest'
import { canSkip, findRestateServer } from './find-restate-server.ts'

/**
 * Whether the tests of a Restate server are skipped. The server is an optional dependency. If it is missing, its tests fail,
 * unless PARLEY_WITHOUT_RESTATE=1 skips them.
 */
export const isWithoutRestate = canSkip && findRestateServer() === undefined

/** Skips a test that needs a Restate server. */
export function notTriedOnRestate(context: TestContext): never {
  const platform = `${process.platform}-${process.arch}`
  return notTried(context, 'runs on a Restate server', `none is installed for ${platform} and PARLEY_WITHOUT_RESTATE is 1`)
}
