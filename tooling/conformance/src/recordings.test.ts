import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineTool, type Entry, type Model } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { recordModel, replayModel } from '@parley/evals/recordings'
import { createMemoryStore } from '@parley/memory-store'
import { createScenarioServer, MODEL_SCENARIOS, type ModelScenario, type ScenarioWire } from '@parley/testing/contract'
import { afterAll, describe, expect, it } from 'vitest'

const PROVIDERS = join(import.meta.dirname, '../../../packages/providers')

interface Surface {
  readonly wire: ScenarioWire
  readonly open: (fetch: typeof globalThis.fetch) => Model
}

interface Fixtures {
  readonly surfaces?: Readonly<Record<string, Surface>>
  /** Bodies of whole answers, by what they contain. */
  readonly answers?: Readonly<Record<string, string>>
}

/** Traffic of one surface: a conversation, as the scenarios or the bodies of its responses. */
interface Traffic {
  readonly name: string
  readonly model: (fetch: typeof globalThis.fetch) => Model
  /** Serves the responses in order. */
  readonly fetch: () => typeof globalThis.fetch
}

const fixtures = new Map<string, Fixtures>()
for (const file of globSync('*/src/__fixtures__/{surfaces,answers}.ts', { cwd: PROVIDERS })) {
  const provider = file.split(/[/\\]/)[0] ?? ''
  const module = (await import(pathToFileURL(join(PROVIDERS, file)).href)) as Fixtures
  fixtures.set(provider, { ...fixtures.get(provider), ...module })
}

const { text, 'tool-call': toolCall, 'error-429': refused, 'cut-stream': cut } = MODEL_SCENARIOS
const CONVERSATIONS: Readonly<Record<string, readonly ModelScenario[]>> = {
  'a tool call and its answer': [toolCall, text],
  'an answer': [text],
  'a refused call': [refused],
  'a connection that closes': [cut],
}

const TRAFFIC: readonly Traffic[] = [...fixtures.values()].flatMap(({ surfaces = {}, answers = {} }) =>
  Object.entries(surfaces).flatMap(([surface, { wire, open }]) => [
    ...Object.entries(CONVERSATIONS).map(([name, scenarios]) => ({
      name: `${surface}: ${name}`,
      model: open,
      fetch: () => inTurn(scenarios.map(scenario => createScenarioServer(scenario, wire).fetch)),
    })),
    // The answers of Anthropic's own fixtures are server-sent events.
    ...(wire.headers === undefined ? Object.entries(answers) : []).map(([name, body]) => ({
      name: `${surface}: ${name}`,
      model: open,
      fetch: () => inTurn([body, answers['text'] ?? body].map(each => async () => new Response(each))),
    })),
  ]),
)

/** Answers the n-th request with the n-th function, and later requests with the last one. */
function inTurn(fetches: readonly (typeof globalThis.fetch)[]): typeof globalThis.fetch {
  let asked = 0
  return (url, init) => {
    const fetch = fetches[Math.min(asked++, fetches.length - 1)]
    return fetch === undefined ? Promise.reject(new Error('no response')) : fetch(url, init)
  }
}

async function journalOf(model: Model, instructions = 'Answer briefly.') {
  const names = ['weather', 'now']
  const tools = names.map(name =>
    defineTool({ name, description: 'Returns it.', input: { type: 'object' }, effect: 'read', execute: () => 'sunny' }),
  )
  const store = createMemoryStore()
  const runtime = createRuntime({ store, captureRequests: 'keep', onUnreadFailure: () => {} })
  const agent = defineAgent({
    name: 'a',
    instructions,
    model,
    tools,
    retry: { maxRetries: 0 },
    limits: { maxTurns: 4 },
  })
  const { runId, ...result } = await runtime.run(agent, 'How is the weather in Oslo?', { sessionId: 's' }).result
  return { entries: await store.read(runId), result }
}

/** The entries without times and ids of runs. */
function comparable(entries: readonly Entry[]): unknown {
  const varying = new Set(['at', 'runId', 'durationMs', 'firstTokenMs', 'pricedAt'])
  return JSON.parse(JSON.stringify(entries, (key, value: unknown) => (varying.has(key) ? undefined : value)))
}

const folder = mkdtempSync(join(tmpdir(), 'parley-traffic-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('recordings of the traffic of every provider', () => {
  it('every provider that calls a server has traffic', () => {
    const providers = globSync('*/src/model-contract.test.ts', { cwd: PROVIDERS }).map(
      file => relative('.', file).split(/[/\\]/)[0],
    )
    expect(new Set(fixtures.keys())).toEqual(new Set(providers))
    expect(TRAFFIC.length).toBeGreaterThanOrEqual(32)
  })

  it.each(TRAFFIC)('a recorded run replays with an identical journal: $name', async ({ name, model, fetch }) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.jsonl`)
    const recorded = await journalOf(recordModel(model(fetch()), file))
    expect(existsSync(file)).toBe(true)
    const replay = replayModel(file)
    const replayed = await journalOf(replay)
    expect(replay.unused).toEqual([])
    expect(comparable(replayed.entries)).toEqual(comparable(recorded.entries))
  })

  it.each(TRAFFIC.filter(({ name }) => name.endsWith('a tool call and its answer')))(
    'a changed prompt shows the first request that differs: $name',
    async ({ name, model, fetch }) => {
      const file = join(folder, `${name.replaceAll(/\W+/g, '-')}-changed.jsonl`)
      await journalOf(recordModel(model(fetch()), file))
      const { result } = await journalOf(replayModel(file), 'Answer at length.')
      expect(result.status).toBe('failed')
      expect(JSON.stringify(result)).toContain('The most similar one is call 1')
      expect(JSON.stringify(result)).toContain(String.raw`- Answer briefly.\n    + Answer at length.`)
    },
  )
})
