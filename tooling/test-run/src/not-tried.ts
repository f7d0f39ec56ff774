import type { TestContext } from 'vitest'

/** Start of the note of a test that could not try something. `collectNotTried` looks for it. */
export const NOT_TRIED = 'NOT TRIED HERE: '

/**
 * Skips a test that needs something this machine lacks. The end of the run prints what was not tried and why.
 * @param what What the test would have tried, such as `commands in a sandbox`.
 * @param why What is missing, as a sentence without its end.
 */
export function notTried(context: Pick<TestContext, 'skip'>, what: string, why: string): never {
  return context.skip(`${NOT_TRIED}${what}, because ${why}`)
}
