import type { ModelRequest } from '@parley/core'

const answer = [
  { type: 'message_start', message: { id: 'msg_1' } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello.' } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  { type: 'message_stop' },
]
const body = answer.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
globalThis.fetch = async (url, init) => {
  const { hostname, pathname } = new URL(url instanceof Request ? url.url : url)
  console.log(hostname, pathname.split('/').at(-1), new Headers(init?.headers).get('authorization')?.split(' ')[0])
  return new Response(body)
}
const freshToken = async (): Promise<string> => 'ya29.token'
const [accessKeyId, secretAccessKey] = ['AKIDEXAMPLE', 'secret']
const request: ModelRequest = {
  system: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  settings: {},
}

// #region platforms
import { createAnthropic } from '@parley/anthropic'
import { createBedrockPlatform } from '@parley/anthropic/bedrock'
import { createVertexPlatform } from '@parley/anthropic/vertex'

const vertex = createVertexPlatform({ project: 'my-project', location: 'us-east5', accessToken: freshToken })
const onVertex = createAnthropic({ platform: vertex }).model('claude-sonnet-4-5@20250929')

const bedrock = createBedrockPlatform({ region: 'us-west-2', credentials: { accessKeyId, secretAccessKey } })
const onBedrock = createAnthropic({ platform: bedrock }).model('us.anthropic.claude-sonnet-4-5-20250929-v1:0')

for (const model of [onVertex, onBedrock])
  for await (const event of model.stream(request, {})) if (event.type === 'text.delta') console.log(event.text)
// #endregion
// → us-east5-aiplatform.googleapis.com claude-sonnet-4-5@20250929:streamRawPredict Bearer
// → Hello.
// → bedrock-runtime.us-west-2.amazonaws.com invoke-with-response-stream AWS4-HMAC-SHA256
// → Hello.
