import { toolError, type Json } from '@parley/core'
import { truncateOldest } from '@parley/context-policies'
import { RESULT, expectTrue, firstOf, onceFor, one, refused, resultsOf, submit, waiting } from './client-play.ts'
import { asking } from './client-scenarios.ts'
import type { Scenario } from './scenario.ts'

/** Scenarios in which the client submits results of every kind. */
export const clientResultScenarios: readonly Scenario[] = [
  waiting('the client reports that it could not execute the call', at => submit(at, firstOf(at), toolError('The user denied it.'))),
  ...(
    [
      ['null', null],
      ['an empty text', ''],
      ['a structure', { open: true, at: ['door', { nth: 2 }] }],
      ['characters that databases reject', `NUL \0, half a pair \ud83d, ' " \\ $1 %s \u2028 🎉`],
    ] satisfies [string, Json][]
  ).map(([what, result]) => waiting(`the result is ${what}`, at => submit(at, firstOf(at), result))),
  waiting('a result that is nested too deeply is refused, and the right one still counts', async at => {
    let deep: Json = 'core'
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep]
    await refused(submit(at, firstOf(at), deep), 'request-invalid')
    return submit(at, firstOf(at))
  }),
  waiting('a result that is not JSON is refused, and the right one still counts', async at => {
    await refused(submit(at, firstOf(at), (() => 1) as unknown as Json), 'request-invalid')
    return submit(at, firstOf(at))
  }),
  waiting('the next run of the session reads the result', at => submit(at, firstOf(at)), {
    inputs: ['one', 'two'],
    check: async at => expectTrue((await resultsOf(at)).some(text => text.includes(RESULT)), 'the result is missing'),
  }),
]

/**
 * Scenarios with a call of the client in an unusual conversation: it is shortened, reaches a limit, has a large result,
 * or gets messages while the call waits.
 */
export const clientMessageScenarios: readonly Scenario[] = [
  // The SQLite store writes texts of more than 512 KiB in another thread.
  asking('the result of a call has 1 MB', one, { submit: () => 'x'.repeat(1_000_000) }),
  asking(
    'the conversation is shortened around calls of the client',
    { turns: [['ask_client']], agent: { context: truncateOldest({ maxMessages: 3 }) } },
    { inputs: ['one', 'two', 'three'] },
  ),
  waiting('a steering message arrives while the call waits', async at => {
    await onceFor(at, 'steer', () => at.runtime.steer(at.runId, 'faster'))
    return submit(at, firstOf(at))
  }),
  waiting('a follow-up arrives while the call waits', async at => {
    await onceFor(at, 'follow up', () => at.runtime.followUp(at.runId, 'and then?'))
    return submit(at, firstOf(at))
  }),
  waiting('a compaction of the session is refused while the call waits', async at => {
    await refused(at.runtime.compact(at.sessionId), 'session-busy')
    return submit(at, firstOf(at))
  }),
  waiting('the context is shortened while one of two calls waits', at => submit(at, firstOf(at)), {
    of: { turns: [['look'], ['ask_client', 'ask_client'], ['look']], agent: { context: truncateOldest({ maxMessages: 4 }) } },
  }),
  waiting('the limit of turns is reached after the result', at => submit(at, firstOf(at)), {
    of: { turns: [['ask_client'], ['look']], agent: { limits: { maxTurns: 1 } } },
  }),
]
