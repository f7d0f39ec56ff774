import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const recorded = [
  { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 21, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Rayleigh.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Air scatters blue light most.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 30 } },
  { type: 'message_stop' },
]
const body = recorded.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
const server = createServer((_, response) => void response.end(body)).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
process.env['ANTHROPIC_BASE_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

// #region ask
import { createAnthropic } from '@parley/anthropic'

const model = createAnthropic().model('claude-sonnet-5')
const request = {
  system: [{ text: 'Answer in one sentence.' }],
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Why is the sky blue?' }] }],
  tools: [],
  settings: { thinking: 'low' as const },
}
for await (const event of model.stream(request, {})) {
  if (event.type === 'reasoning.delta') console.log(`(${event.text})`)
  if (event.type === 'text.delta') console.log(event.text)
}
// #endregion
// → (Rayleigh.)
// → Air scatters blue light most.
server.close()
