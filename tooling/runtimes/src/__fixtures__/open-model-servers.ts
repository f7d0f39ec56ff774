import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const sse = (events: readonly unknown[]): readonly string[] =>
  events.map(event => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
const CALL = { id: 'call_1', name: 'add', arguments: '{"a":2,"b":3}' }

function chat(delta: object, finish: string): readonly string[] {
  const chunk = (fields: object): object => ({ choices: [{ index: 0, ...fields }] })
  return sse([chunk({ delta }), chunk({ delta: {}, finish_reason: finish }), '[DONE]'])
}

const responses = (output: object): readonly string[] =>
  sse([
    { type: 'response.output_item.done', output_index: 0, item: output },
    { type: 'response.completed', response: { status: 'completed', output: [output] } },
  ])

function messages(block: object, delta: object, reason: string): readonly string[] {
  return sse([
    { type: 'message_start', message: { role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ])
}

const gemini = (part: object): readonly string[] =>
  sse([{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }])

const ollama = (message: object): readonly string[] =>
  [{ message: { role: 'assistant', ...message } }, { done: true, done_reason: 'stop', message: { content: '' } }].map(
    line => `${JSON.stringify(line)}\n`,
  )

/** The two answers of each API: a tool call for the question, and a text for the tool result. */
const APIS: Readonly<Record<string, { readonly call: readonly string[]; readonly text: readonly string[] }>> = {
  'chat/completions': {
    call: chat({ tool_calls: [{ index: 0, id: CALL.id, type: 'function', function: CALL }] }, 'tool_calls'),
    text: chat({ content: 'It is 5 – ✓' }, 'stop'),
  },
  responses: {
    call: responses({ type: 'function_call', id: 'fc_1', call_id: CALL.id, name: CALL.name, arguments: CALL.arguments }),
    text: responses({ type: 'message', content: [{ type: 'output_text', text: 'It is 5 – ✓' }] }),
  },
  messages: {
    call: messages(
      { type: 'tool_use', id: CALL.id, name: CALL.name, input: {} },
      { type: 'input_json_delta', partial_json: CALL.arguments },
      'tool_use',
    ),
    text: messages({ type: 'text', text: '' }, { type: 'text_delta', text: 'It is 5 – ✓' }, 'end_turn'),
  },
  streamGenerateContent: {
    call: gemini({ functionCall: { name: CALL.name, args: { a: 2, b: 3 } } }),
    text: gemini({ text: 'It is 5 – ✓' }),
  },
  'api/chat': {
    call: ollama({ content: '', tool_calls: [{ function: { name: CALL.name, arguments: { a: 2, b: 3 } } }] }),
    text: ollama({ content: 'It is 5 – ✓' }),
  },
}

export interface ModelServers extends AsyncDisposable {
  readonly url: string
  /** The number of requests to `/hang` that the client aborted. */
  readonly abandoned: () => number
}

/** Serves every API at one address. `/hang` never responds and `/away` redirects. */
export async function openModelServers(): Promise<ModelServers> {
  let abandoned = 0
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? ''
    const body = await text(request)
    if (url.startsWith('/hang')) response.on('close', () => abandoned++)
    else if (url.startsWith('/away')) response.writeHead(307, { location: 'http://elsewhere.example/' }).end()
    else {
      const api = Object.keys(APIS).find(name => url.includes(name))
      const answers = api === undefined ? undefined : APIS[api]
      if (answers === undefined) response.writeHead(404).end()
      else await play(response, answers[/tool_result|"tool"|function_call_output|functionResponse/.test(body) ? 'text' : 'call'])
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    abandoned: () => abandoned,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Writes a stream in chunks that can end within a character. */
async function play(response: ServerResponse, lines: readonly string[]): Promise<void> {
  const bytes = Buffer.from(lines.join(''))
  for (let at = 0; at < bytes.length; at += 101) {
    response.write(bytes.subarray(at, at + 101))
    await new Promise(resolve => setImmediate(resolve))
  }
  response.end()
}
