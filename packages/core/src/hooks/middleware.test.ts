import { expect, it } from 'vitest'
import { defineMiddleware } from './middleware.ts'

it('a defined middleware receives the facts of each run and returns separate stages for it', () => {
  const middleware = defineMiddleware('tagging', run => {
    const seen: string[] = []
    return { event: event => void seen.push(`${run.runId} ${event.type}`) }
  })
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [] }
  expect(middleware.name).toBe('tagging')
  expect(middleware.begin(run).event).not.toBe(middleware.begin(run).event)
})
