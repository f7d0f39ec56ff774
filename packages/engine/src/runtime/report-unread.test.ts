import { toolError, type ErrorInfo, type ParleyError } from '@parley/core'
import { fakeClock, scriptedModel, type ScriptStep } from '@parley/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRuntime, defineAgent, RunFailedError, type Run } from '../index.ts'

const error: ErrorInfo = { code: 'model-auth', provider: 'p', detail: 'bad\nkey' }

/** Runs whose failure the runtime reports. */
function setup(step: ScriptStep = { error }) {
  const clock = fakeClock()
  const reported: string[] = []
  const runtime = createRuntime({
    clock,
    agents: [defineAgent({ name: 'a', model: scriptedModel([step]) })],
    onUnreadFailure: (failure, { runId }) =>
      reported.push(failure instanceof RunFailedError ? `${runId} ${failure.result.status}` : failure.message),
  })
  const ended = async (): Promise<void> => {
    await expect.poll(() => runtime.health()).toMatchObject({ activeRuns: 0 })
  }
  return { runtime, reported, ended, clock }
}

describe('a run that fails while no code reads it', () => {
  it('the runtime reports an unread failure once', async () => {
    const { runtime, reported, ended, clock } = setup()
    runtime.run('a', 'go', { runId: 'r' })
    await ended()
    await clock.advance(60_000)
    expect(reported).toEqual(['r failed'])
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
    const { runtime, reported, ended, clock } = setup()
    void readers[name]?.(runtime.run('a', 'go'))
    await ended()
    await clock.advance(60_000)
    expect(reported).toEqual([])
  })

  it.each([
    ['is not read either', []],
    ['is read', ['result']],
  ])('a failure is reported 5 seconds after the end unless the result is read before: it %s', async (_, reads) => {
    const { runtime, reported, ended, clock } = setup()
    const run = runtime.run('a', 'go', { runId: 'r' })
    await ended()
    await clock.advance(4_999)
    expect(reported).toEqual([])
    if (reads.length > 0) void run.result
    await clock.advance(1)
    expect(reported).toEqual(reads.length > 0 ? [] : ['r failed'])
  })

  it.each([
    ['completed', 'Fine.', (run: Run) => run],
    ['cancelled', { hang: true }, (run: Run) => run.cancel()],
  ] as const)('the runtime does not report a run that was %s', async (_, step, then) => {
    const { runtime, reported, ended, clock } = setup(step)
    void then(runtime.run('a', 'go'))
    await ended()
    await clock.advance(60_000)
    expect(reported).toEqual([])
  })
})

describe('a tool that throws', () => {
  const call = { toolCalls: [{ name: 'weather' }] }
  const weather = (execute: () => unknown) => ({
    name: 'weather',
    description: 'd',
    input: { type: 'object' },
    execute,
  })

  it.each([
    [
      'reports the error of a tool that threw, although the run is read',
      () => raise(new Error('no key')),
      ["'weather' failed: no key"],
    ],
    ['does not report a toolError', () => toolError('no such city'), []],
  ] as const)('the runtime %s', async (_, execute, expected) => {
    const reported: string[] = []
    const onUnreadFailure = ({ message }: ParleyError, { agent, runId }: { agent: string; runId: string }): void => {
      reported.push(message, agent, runId)
    }
    const runtime = createRuntime({ onUnreadFailure })
    const agent = defineAgent({ name: 'a', model: scriptedModel([call, 'Sorry.']), tools: [weather(execute)] })
    expect((await runtime.invoke(agent, 'go', { runId: 'r' })).text).toBe('Sorry.')
    expect(reported).toEqual(expected.flatMap(message => [message, 'a', 'r']))
  })
})

function raise(thrown: Error): never {
  throw thrown
}

describe('the default report of an unread failure', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('the default is one line on the standard error stream with the failure and what to call', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const clock = fakeClock()
    const runtime = createRuntime({ clock })
    runtime.run(defineAgent({ name: 'a', model: scriptedModel([{ error }]) }), 'go', { runId: 'r' })
    await expect.poll(() => runtime.health()).toMatchObject({ activeRuns: 0 })
    await clock.advance(5_000)
    expect(print.mock.calls.length).toBe(1)
    expect(print.mock.calls[0]).toEqual([
      "parley: Agent 'a' did not complete its task (failed): p rejected the API key. Check the key, and that it belongs to " +
        "this base URL. bad key. Its run is 'r'. No code has read this run: await run.orThrow() or run.result, or pass " +
        'onUnreadFailure to createRuntime.',
    ])
  })
})
