import { expect, it } from 'vitest'
import { ZERO_USAGE } from '../model/usage.ts'
import { defineMiddleware } from './middleware.ts'

it('a defined middleware receives the facts of each run and returns separate stages for it', () => {
  const middleware = defineMiddleware('tagging', run => {
    const seen: string[] = []
    return { event: event => void seen.push(`${run.runId} ${event.type}`) }
  })
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [] }
  const progress = { messages: [], newMessages: [], usage: ZERO_USAGE, cost: undefined, turns: 0, runs: 1 }
  expect(middleware.name).toBe('tagging')
  expect(middleware.begin(run, progress).event).not.toBe(middleware.begin(run, progress).event)
})
