import { checkOptions, ParleyError, type Model, type ModelEvent, type OptionKinds } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { checkModelEvents } from './check-model-events.ts'
import { MODEL_SCENARIOS, type ModelScenario } from './model-scenario.ts'

/** A model under test and what the suite needs to observe it. */
export interface OpenModel extends Partial<AsyncDisposable> {
  readonly model: Model
  /**
   * Resolves as soon as no request of the model is open, for example `scenarioFetch(…).idle`.
   * @default the suite does not check that requests are closed
   */
  readonly idle?: (() => Promise<void>) | undefined
}

/** Options of `describeModelContract`. */
export interface ModelContractOptions {
  /**
   * Opens a model whose server does in every call what the scenario says. The suite disposes it. Return `undefined` for a
   * scenario that the model cannot meet, for example `tool-call` for a model without tools: its tests are skipped.
   */
  readonly open: (scenario: ModelScenario) => OpenModel | undefined | Promise<OpenModel | undefined>
}

const OPTIONS: OptionKinds<ModelContractOptions> = {
  open: 'function!',
}

/**
 * Checks every promise of `Model` against a provider. Providers with a `fetch` option serve the scenarios with
 * `scenarioFetch`.
 */
export function describeModelContract(name: string, options: ModelContractOptions): void {
  checkOptions('describeModelContract', options, OPTIONS)
  const { open } = options
  describe(`${name} keeps the Model contract`, () => {
    describeAnswers(open)
    describeFailures(open)
    describeAborts(open)
    describeSharing(open)
  })
}

type Open = ModelContractOptions['open']

/** Opens the model for a scenario. Skips the test if the author does not serve the scenario. */
async function openOr(skip: () => never, open: Open, name: ModelScenario['name']) {
  const scenario = MODEL_SCENARIOS[name]
  const { model, idle, [Symbol.asyncDispose]: dispose } = (await open(scenario)) ?? skip()
  return { scenario, model, idle, [Symbol.asyncDispose]: async () => dispose?.() }
}

function describeAnswers(open: Open): void {
  it('the model names its provider and itself', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'text')
    expect(opened.model.provider).not.toBe('')
    expect(opened.model.id).not.toBe('')
    expect(opened.model.info).toBeTypeOf('object')
  })

  it('the model streams the text of an answer in order and ends with one finish', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'text')
    const events = await ask(opened)
    const { text, faults } = checkModelEvents(events)
    expect(faults).toEqual([])
    expect(text).toBe(opened.scenario.text.join(''))
    expect(events.filter(event => event.type === 'finish')).toEqual([{ type: 'finish', reason: 'stop' }])
    expect(events.at(-1)?.type).toBe('finish')
  })

  it('the model gives the arguments of a tool call as JSON text and finishes with tool-calls', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'tool-call')
    const events = await ask(opened)
    const { calls, faults } = checkModelEvents(events)
    expect(faults).toEqual([])
    expect(calls.map(({ name, arguments: text }) => [name, JSON.parse(text)])).toEqual([['weather', { city: 'Oslo' }]])
    expect(calls[0]?.callId).not.toBe('')
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('the last usage event of an answer has the tokens that the server reports', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'usage')
    const events = await ask(opened)
    const last = events.findLast(event => event.type === 'usage')
    expect(last?.usage).toMatchObject({ ...opened.scenario.usage, reasoning: 0, cacheRead: 0, cacheWrite: 0 })
  })
}

function describeFailures(open: Open): void {
  it('the model throws model-rate-limited with its provider when the server responds with status 429', async ({
    skip,
  }) => {
    await using opened = await openOr(skip, open, 'error-429')
    const { events, error } = await askUntilFailure(opened)
    expect(ParleyError.is(error, 'model-rate-limited') ? error.info : error).toMatchObject({
      code: 'model-rate-limited',
      provider: opened.model.provider,
    })
    expect(events.filter(event => event.type === 'finish')).toEqual([])
  })

  it('the model throws model-stream or model-network instead of a finish when the connection closes within an answer', async ({
    skip,
  }) => {
    await using opened = await openOr(skip, open, 'cut-stream')
    const { events, error } = await askUntilFailure(opened)
    expect(['model-stream', 'model-network']).toContain(ParleyError.is(error) ? error.code : error)
    expect(checkModelEvents(events).text).toBe(opened.scenario.text[0])
    expect(events.filter(event => event.type === 'finish')).toEqual([])
  })
}

function describeAborts(open: Open): void {
  const reason = { kind: 'user', detail: 'the reason object itself' }

  it('the model throws the reason of a signal that is aborted before the call', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'text')
    const { events, error } = await askUntilFailure(opened, AbortSignal.abort(reason))
    expect(error).toBe(reason)
    expect(events).toEqual([])
    await opened.idle?.()
  })

  it.for(['silent', 'stalled'] as const)(
    'the model throws the reason of an abort while it waits for a %s server, and closes the request',
    async (name, { skip }) => {
      await using opened = await openOr(skip, open, name)
      const controller = new AbortController()
      setTimeout(() => controller.abort(reason), 20)
      const { events, error } = await askUntilFailure(opened, controller.signal)
      expect(error).toBe(reason)
      expect(events.filter(event => event.type === 'finish')).toEqual([])
      await opened.idle?.()
    },
  )

  it('the model throws the reason of an abort that comes between two reads', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'stalled')
    const controller = new AbortController()
    const reading = (async () => {
      for await (const event of call(opened, controller.signal)) {
        if (event.type === 'text.delta') controller.abort(reason)
      }
    })()
    await expect(reading).rejects.toBe(reason)
  })

  it('the model closes its request when the reader leaves the stream', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'stalled')
    const idle = opened.idle ?? skip()
    for await (const event of call(opened)) if (event.type === 'text.delta') break
    await idle()
  })
}

function describeSharing(open: Open): void {
  it('one model serves calls that are read at the same time, each with its whole answer', async ({ skip }) => {
    await using opened = await openOr(skip, open, 'text')
    const readers = [call(opened), call(opened), call(opened)].map(stream => ({
      stream: stream[Symbol.asyncIterator](),
      events: [] as ModelEvent[],
    }))
    const reading = new Set(readers)
    while (reading.size > 0) {
      for (const reader of reading) {
        const { value, done } = await reader.stream.next()
        if (done === true) reading.delete(reader)
        else reader.events.push(value)
      }
    }
    for (const { events } of readers) {
      expect(checkModelEvents(events).text).toBe(opened.scenario.text.join(''))
      expect(events.at(-1)?.type).toBe('finish')
    }
  })

  it('one model gives the same answer to the same request again, because it holds no conversation', async ({
    skip,
  }) => {
    await using opened = await openOr(skip, open, 'text')
    const first = await ask(opened)
    expect(checkModelEvents(await ask(opened)).text).toBe(checkModelEvents(first).text)
  })
}

interface Asked {
  readonly model: Model
  readonly scenario: ModelScenario
}

function call({ model, scenario }: Asked, signal?: AbortSignal): AsyncIterable<ModelEvent> {
  return model.stream(scenario.request, { signal, retry: { maxRetries: 0 } })
}

async function ask(asked: Asked): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of call(asked)) events.push(event)
  return events
}

/** Returns the events before the failure, and the error that the stream threw. */
async function askUntilFailure(asked: Asked, signal?: AbortSignal) {
  const events: ModelEvent[] = []
  try {
    for await (const event of call(asked, signal)) events.push(event)
  } catch (error) {
    return { events, error }
  }
  throw new Error(`the stream of scenario '${asked.scenario.name}' ended without a failure`)
}
