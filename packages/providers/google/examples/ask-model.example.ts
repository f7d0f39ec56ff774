import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const recorded = [
  '{"candidates":[{"content":{"parts":[{"text":"Blue light has short waves.","thought":true}]}}]}',
  '{"candidates":[{"content":{"parts":[{"text":"Air scatters blue light most."}]},"finishReason":"STOP"}]}',
]
const body = recorded.map(chunk => `data: ${chunk}\r\n\r\n`).join('')
const server = createServer((_, response) => void response.end(body)).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`

// #region ask
import { createGoogle } from '@parley/google'

const model = createGoogle({ baseUrl }).model('gemini-3-flash-preview')
const request = {
  system: [{ text: 'Answer in one sentence.' }],
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Why is the sky blue?' }] }],
  tools: [],
  settings: { thinking: 'low' as const, maxOutputTokens: 2000 },
}
for await (const event of model.stream(request, {})) {
  if (event.type === 'reasoning.delta') console.log('thought:', event.text)
  if (event.type === 'text.delta') console.log(event.text)
}
// #endregion
// → thought: Blue light has short waves.
// → Air scatters blue light most.
server.close()
