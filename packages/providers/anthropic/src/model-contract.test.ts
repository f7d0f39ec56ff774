import { describeModelContract, createScenarioServer, type ModelScenario } from '@parley/testing/contract'
import { toEventStream } from './__fixtures__/event-stream.ts'
import { createBedrockPlatform } from './bedrock/create-bedrock-platform.ts'
import { createAnthropic } from './create-anthropic.ts'
import { createVertexPlatform } from './vertex/create-vertex-platform.ts'

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

for (const [name, options] of Object.entries({
  'createAnthropic with Anthropic': { apiKey: 'key-of-mine' },
  'createAnthropic with Vertex AI': { platform: vertex },
}))
  describeModelContract(name, {
    open(scenario) {
      const { fetch, idle } = createScenarioServer(scenario, { error: ERROR, body: partsOf })
      return { model: createAnthropic({ ...options, fetch }).model('claude-haiku-4-5'), idle }
    },
  })

describeModelContract('createAnthropic with Bedrock', {
  open(scenario) {
    const { fetch, idle } = createScenarioServer(scenario, {
      error: '{"message":"Slow down."}',
      headers: { 'content-type': 'application/vnd.amazon.eventstream' },
      body: each => partsOf(each).map(toEventStream),
    })
    const platform = createBedrockPlatform({ credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' } })
    return { model: createAnthropic({ platform, fetch }).model('us.anthropic.claude-haiku-4-5-20251001-v1:0'), idle }
  },
})
