import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answers: Readonly<Record<string, string>> = {
  '/v1/embeddings': '{"data":[{"index":0,"embedding":[0.1,0.9]},{"index":1,"embedding":[0.8,0.2]}]}',
  '/v1/images/generations': '{"data":[{"url":"https://images.example/1.png"}]}',
  '/v1/models': '{"data":[{"id":"qwen3","owned_by":"vllm","max_model_len":32768}]}',
}
const server = createServer(({ url = '' }, response) => void response.end(answers[url])).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

// #region more
import { createOpenAI, identifyServer, quirkProfiles } from '@parley/openai'
import { createUndiciFetch } from '@parley/provider-kit/undici'

// A few requests determine the profile. Here it is used with one difference.
const { profile, evidence } = await identifyServer({ baseUrl })
console.log(profile, 'because', evidence)
const quirks = { ...quirkProfiles[profile], brokenArguments: 'verbatim' as const }

// Requests go through a dispatcher of undici, which may be a proxy.
const provider = createOpenAI({ baseUrl, quirks, fetch: createUndiciFetch() })
const input = ['a cat', 'a bond']
console.log(await provider.embed({ model: 'text-embedding-3-small', input, options: { dimensions: 2 } }))
console.log(await provider.generateImages({ model: 'gpt-image-1', prompt: 'A cat', options: { size: '1024x1024' } }))
// #endregion
// → vllm because its list of models is owned by vllm
// → [ [ 0.1, 0.9 ], [ 0.8, 0.2 ] ]
// → [ 'https://images.example/1.png' ]
server.close()
