import type { Model } from '@parley/core'
import type { ModelScenario, ScenarioWire } from '@parley/testing/contract'
import { createBedrockPlatform } from '../bedrock/create-bedrock-platform.ts'
import { createAnthropic } from '../create-anthropic.ts'
import { createVertexPlatform } from '../vertex/create-vertex-platform.ts'
import { toEventStream } from './event-stream.ts'

/** A surface of the provider: how its server writes the responses of a scenario, and the model that reads them. */
export interface Surface {
  readonly wire: ScenarioWire
  readonly open: (fetch: typeof globalThis.fetch) => Model
}

const ERROR = '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}'

const event = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

/** The parts of an answer: one for each piece of text or tool call, and one for the end. */
function partsOf({ text, toolCalls, usage }: ModelScenario): readonly string[] {
  const start = event({ type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: usage.input } } })
  const open = (block: unknown): string => event({ type: 'content_block_start', index: 0, content_block: block })
  const delta = (fields: unknown): string => event({ type: 'content_block_delta', index: 0, delta: fields })
  const pieces = [
    ...text.map(words => delta({ type: 'text_delta', text: words })),
    ...toolCalls.map(call => delta({ type: 'input_json_delta', partial_json: call.arguments })),
  ]
  const [call] = toolCalls
  const block =
    call === undefined ? { type: 'text', text: '' } : { type: 'tool_use', id: call.callId, name: call.name, input: {} }
  const end = [
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use' },
      usage: { output_tokens: usage.output },
    }),
    event({ type: 'message_stop' }),
  ]
  const [first = '', ...others] = pieces
  return [start + open(block) + first, ...others, end.join('')]
}

const vertex = createVertexPlatform({ project: 'p', accessToken: async () => 'token-of-mine' })

const bedrock = createBedrockPlatform({ credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' } })

export const surfaces: Readonly<Record<string, Surface>> = {
  'createAnthropic with Anthropic': {
    wire: { error: ERROR, body: partsOf },
    open: fetch => createAnthropic({ apiKey: 'key-of-mine', fetch }).model('claude-haiku-4-5'),
  },
  'createAnthropic with Vertex AI': {
    wire: { error: ERROR, body: partsOf },
    open: fetch => createAnthropic({ platform: vertex, fetch }).model('claude-haiku-4-5'),
  },
  'createAnthropic with Bedrock': {
    wire: {
      error: '{"message":"Slow down."}',
      headers: { 'content-type': 'application/vnd.amazon.eventstream' },
      body: each => partsOf(each).map(toEventStream),
    },
    open: fetch =>
      createAnthropic({ platform: bedrock, fetch }).model('us.anthropic.claude-haiku-4-5-20251001-v1:0'),
  },
}
