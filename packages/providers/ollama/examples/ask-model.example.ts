import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const recorded = '{"message":{"content":"Air scatters blue light most."},"done":true,"done_reason":"stop"}\n'
const server = createServer((_, response) => void response.end(recorded)).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
process.env['OLLAMA_HOST'] = `127.0.0.1:${(server.address() as AddressInfo).port}`

// #region ask
import { createOllama } from '@parley/ollama'

const model = createOllama({ contextWindow: 16_384 }).model('qwen3:8b')
const request = {
  system: [{ text: 'Answer in one sentence.' }],
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Why is the sky blue?' }] }],
  tools: [],
  settings: { thinking: 'off' as const, maxOutputTokens: 200 },
}
for await (const event of model.stream(request, {})) if (event.type === 'text.delta') console.log(event.text)
// #endregion
// → Air scatters blue light most.
server.close()
