import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import type { Run } from '@parley/engine'
import { fakeClock } from '@parley/testing'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { ServerEnv } from '../access/client.ts'
import { ReplayBudget } from '../state/replay-budget.ts'
import { RunAttempt } from '../state/run-attempt.ts'
import type { ServerContext } from '../state/server-context.ts'
import { answerRun } from './answer-run.ts'

/** A stream of ten events, and the result of its run, which the test gives. */
async function openAnswer() {
  const result = Promise.withResolvers<{ messages: readonly string[] }>()
  const budget = new ReplayBudget({ maxKeptChars: 1_000, maxKeptCharsPerScope: 1_000 })
  const clock = fakeClock()
  const server = { budget, clock, keepAliveMs: 1e9, readerTimeoutMs: 30_000 } as unknown as ServerContext
  const attempt = new RunAttempt({ hash: 'h' })
  const encoder: RunEncoder<object> = {
    push: () => [{ text: 'x'.repeat(9_000) }],
    end: () => [{ end: true }],
    ended: false,
  }
  async function* watch(): AsyncGenerator<RunEvent> {
    for (let event = 0; event < 10; event++) yield {} as RunEvent
  }
  const run = { runId: 'r', sessionId: 's', fromSeq: 1, run: result as unknown as Run, watch }
  Object.assign(result, { result: result.promise })
  const app = new Hono<ServerEnv>()
  app.get('/', context => {
    context.set('client', { name: 'alice', scope: 'alice', requestId: 'q' })
    return answerRun(context, server, { run, attempt, encoder, cutEvent: error => ({ error }) })
  })
  const response = await app.request('/')
  const finish = async (): Promise<void> => {
    result.resolve({ messages: ['an answer'] })
    await nextTurn()
  }
  return { response, finish, budget, clock, attempt }
}

describe('answerRun', () => {
  it('an ended run whose answer was read before counts nothing', async () => {
    const { response, finish, budget } = await openAnswer()
    expect(await response.text()).toContain('end')
    await finish()
    expect(budget.chars).toBe(0)
  })

  it('an ended run counts until its answer is read', async () => {
    const { response, finish, budget } = await openAnswer()
    await finish()
    expect(budget.chars).toBeGreaterThan(0)
    await response.text()
    expect(budget.chars).toBe(0)
  })

  it('a client whose stream the server cuts has not left', async () => {
    const { response, clock, attempt } = await openAnswer()
    await nextTurn()
    await clock.advance(60_000)
    await response.body?.cancel()
    expect(attempt.left.aborted).toBe(false)
  })

  it('a client that closes its stream has left', async () => {
    const { response, attempt } = await openAnswer()
    await nextTurn()
    await response.body?.cancel()
    expect(attempt.left.aborted).toBe(true)
  })
})
