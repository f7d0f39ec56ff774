import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One answer of the server: text, or tool calls by name and arguments. */
export type ServedAnswer = string | readonly { readonly name: string; readonly input: unknown }[]

export interface ModelServer extends AsyncDisposable {
  readonly url: string
  /** Bodies of the requests so far. */
  readonly requests: readonly ServedRequest[]
}

export interface ServedRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/**
 * Opens a small chat-completions server that streams over SSE. The number of assistant messages in a request selects
 * the answer, so that a resumed run gets the same answers. `delay` is in milliseconds, or returns what request `n`, from 1, waits for.
 */
export async function openModelServer(
  answers: readonly ServedAnswer[],
  delay: number | ((n: number) => Promise<unknown>) = 0,
): Promise<ModelServer> {
  const requests: ServedRequest[] = []
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.endsWith('/models')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"test-model"}]}')
      return
    }
    const body = JSON.parse(await text(request)) as ServedRequest
    requests.push(body)
    const turn = body.messages.filter(message => message.role === 'assistant').length
    await (typeof delay === 'number' ? new Promise(resolve => setTimeout(resolve, delay)) : delay(requests.length))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunksOf(answers[turn] ?? 'The end.', turn)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end('data: [DONE]\n\n')
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function* chunksOf(answer: ServedAnswer, turn: number): Generator<object> {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  if (typeof answer === 'string') {
    for (const piece of answer.match(/\S+\s*/g) ?? []) yield chunk({ content: piece })
    yield chunk({}, 'stop')
  } else {
    for (const [index, { name, input }] of answer.entries()) {
      yield chunk({ tool_calls: [{ index, id: `call_${turn}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }] })
    }
    yield chunk({}, 'tool_calls')
  }
  yield { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test-model', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }
}
