import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const recorded = 'data: {"choices":[{"delta":{"content":"Air scatters blue light most."},"finish_reason":"stop"}]}\n\n'
const server = createServer((_, response) => void response.end(recorded)).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
process.env['OPENAI_BASE_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

// #region ask
import { createOpenAI } from '@parley/openai'

const model = createOpenAI().model('gpt-4.1-mini')
const request = {
  system: [{ text: 'Answer in one sentence.' }],
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Why is the sky blue?' }] }],
  tools: [],
  settings: { maxOutputTokens: 200 },
}
for await (const event of model.stream(request, {})) if (event.type === 'text.delta') console.log(event.text)
// #endregion
// → Air scatters blue light most.
server.close()
