import type { ModelRequest } from '@parley/core'

/** How the server of a scenario ends its response. */
export type ScenarioEnding =
  /** It sends the whole answer. */
  | 'complete'
  /** It sends the first part of the answer and closes the connection without an error. */
  | 'cut'
  /** It sends the first part of the answer and then nothing, with the connection open. */
  | 'stalled'
  /** It accepts the request and never responds. */
  | 'silent'

/** What the server of a model under test does with every request. */
export interface ModelScenario {
  readonly name: 'text' | 'tool-call' | 'usage' | 'error-429' | 'cut-stream' | 'stalled' | 'silent'
  /** HTTP status of the response. With 429 the body is an error in the server's own form. */
  readonly status: 200 | 429
  /** Pieces of the answer's text, in order. The server sends each as one delta. */
  readonly text: readonly string[]
  /** Tool calls that follow the text. `arguments` is JSON text. */
  readonly toolCalls: readonly ScenarioCall[]
  /** Tokens that the server reports for the answer. */
  readonly usage: { readonly input: number; readonly output: number }
  readonly ending: ScenarioEnding
  /** The request that the suite sends. It offers the tool of `toolCalls`. */
  readonly request: ModelRequest
}

/** A tool call in a scenario's answer. A provider without call ids may generate its own. */
export interface ScenarioCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

const request: ModelRequest = {
  system: [{ text: 'Answer briefly.' }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'How is the weather in Oslo?' }] }],
  tools: [
    {
      name: 'weather',
      description: 'Returns the weather of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  settings: {},
}

const text: ModelScenario = {
  name: 'text',
  status: 200,
  text: ['It is ', 'sunny in Oslo. ☀'],
  toolCalls: [],
  usage: { input: 12, output: 5 },
  ending: 'complete',
  request,
}

/** Every scenario of `describeModelContract`, by name. */
export const MODEL_SCENARIOS: Readonly<Record<ModelScenario['name'], ModelScenario>> = {
  text,
  'tool-call': {
    ...text,
    name: 'tool-call',
    text: [],
    toolCalls: [{ callId: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
  },
  usage: { ...text, name: 'usage' },
  'error-429': { ...text, name: 'error-429', status: 429, text: [] },
  'cut-stream': { ...text, name: 'cut-stream', ending: 'cut' },
  stalled: { ...text, name: 'stalled', ending: 'stalled' },
  silent: { ...text, name: 'silent', ending: 'silent' },
}
