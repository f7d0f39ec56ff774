import { systemClock, type Clock, type ErrorInfo } from '@parley/core'
import { fakeClock, scriptedModel, type ScriptStep } from '@parley/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRuntime, defineAgent, type Run } from '../index.ts'

const error: ErrorInfo = { code: 'model-auth', provider: 'p', detail: 'bad\nkey' }

/** Runs whose failure the runtime reports. */
function setup(step: ScriptStep = { error }, clock: Clock = systemClock) {
  const reported: string[] = []
  const runtime = createRuntime({
    clock,
    agents: [defineAgent({ name: 'a', model: scriptedModel([step]) })],
    onUnreadFailure: ({ result }) => reported.push(`${result.runId} ${result.status}`),
  })
  const ended = async (): Promise<void> => {
    await expect.poll(() => runtime.health()).toMatchObject({ activeRuns: 0 })
    // A second timer fires after the one that reports.
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  return { runtime, reported, ended }
}

describe('a run that fails while no code reads it', () => {
  it('the runtime reports an unread failure once', async () => {
    const { runtime, reported } = setup()
    runtime.run('a', 'go', { runId: 'r' })
    await expect.poll(() => reported).toEqual(['r failed'])
  })

  const readers: Record<string, (run: Run) => unknown> = {
    result: run => run.result,
    orThrow: run => run.orThrow().catch(() => {}),
    events: run => run[Symbol.asyncIterator]().next(),
    textStream: run =>
      run.textStream[Symbol.asyncIterator]()
        .next()
        .catch(() => {}),
  }
  it.each(Object.keys(readers))('the runtime does not report a run whose %s is read', async name => {
    const { runtime, reported, ended } = setup()
    void readers[name]?.(runtime.run('a', 'go'))
    await ended()
    expect(reported).toEqual([])
  })

  it.each([
    ['is not read either', []],
    ['is read', ['result']],
  ])('a failure is reported after the end unless the result is read then: it %s', async (_, reads) => {
    const clock = fakeClock()
    const { runtime, reported, ended } = setup({ error }, clock)
    const run = runtime.run('a', 'go', { runId: 'r' })
    await ended()
    expect(reported).toEqual([])
    if (reads.length > 0) void run.result
    await clock.advance(1)
    expect(reported).toEqual(reads.length > 0 ? [] : ['r failed'])
  })

  it.each([
    ['completed', 'Fine.', (run: Run) => run],
    ['cancelled', { hang: true }, (run: Run) => run.cancel()],
  ] as const)('the runtime does not report a run that was %s', async (_, step, then) => {
    const { runtime, reported, ended } = setup(step)
    void then(runtime.run('a', 'go'))
    await ended()
    expect(reported).toEqual([])
  })
})

describe('the default report of an unread failure', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('the default is one line on the standard error stream with the failure and what to call', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    createRuntime().run(defineAgent({ name: 'a', model: scriptedModel([{ error }]) }), 'go', { runId: 'r' })
    await expect.poll(() => print.mock.calls.length).toBe(1)
    expect(print.mock.calls[0]).toEqual([
      "parley: Agent 'a' did not complete its task (failed): p rejected the API key. Check the key, and that it belongs to " +
        "this base URL. bad key. Its run is 'r'. No code reads this run: await run.orThrow() or run.result, or pass " +
        'onUnreadFailure to createRuntime.',
    ])
  })
})
