// One chat endpoint in Hono, in Express and as a plain function from a Request to a Response.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// #region setup
import { describePublicly, ParleyError } from '@parley/core'
import { parseUiMessageRequest, toResponse } from '@parley/encoders/ai-sdk-ui'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'

const agent = defineAgent({ name: 'assistant', model: scriptedModel(() => 'Hello there.') })
const runtime = createRuntime({ agents: [agent] })
process.once('SIGTERM', () => void runtime.close())
// #endregion

// #region handle
/** Answers the parsed body of a request. */
function answer(body: unknown, signal?: AbortSignal): Response {
  try {
    const { input, history } = parseUiMessageRequest(body)
    return toResponse(runtime.run('assistant', input, { history, signal }))
  } catch (error) {
    if (!ParleyError.is(error, 'request-invalid')) throw error
    return Response.json({ code: error.code, message: describePublicly(error.info) }, { status: 400 })
  }
}

// A body that is not JSON becomes null, which `answer` refuses.
const handle = async (request: Request): Promise<Response> =>
  answer(await request.json().catch(() => null), request.signal)
// #endregion

// #region hono
import { Hono } from 'hono'

const hono = new Hono()
hono.post('/chat', context => handle(context.req.raw))
// #endregion

// #region express
import { Readable } from 'node:stream'
import express, { type ErrorRequestHandler } from 'express'

const app = express()
app.post('/chat', express.json(), (request, response) => {
  const { status, headers, body } = answer(request.body)
  response.status(status).setHeaders(headers)
  if (body !== null) Readable.from(body).pipe(response)
})
// Without it, Express answers a body that is not JSON with a page that shows the stack.
// oxlint-disable-next-line max-params -- Express recognizes a handler of errors by its four parameters
const refuse: ErrorRequestHandler = (error: { readonly status?: number }, _request, response, next) => {
  if (error.status === undefined || error.status >= 500) next(error)
  else response.status(error.status).json({ code: 'request-invalid', message: 'The body cannot be read.' })
}
app.use(refuse)
// #endregion

const parts = [{ type: 'text', text: 'Hi' }]
const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ id: 'chat-1', messages: [{ id: 'm1', role: 'user', parts }] })

/** The text that a chat client shows. */
async function textOf(response: Response): Promise<string> {
  const lines = (await response.text()).split('\n').filter(line => line.startsWith('data: {'))
  const chunks = lines.map(line => JSON.parse(line.slice(6)) as { type: string; delta?: string })
  return chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')
}

const request = (): Request => new Request('http://localhost/chat', { method: 'POST', headers, body })
console.log('plain:', await textOf(await handle(request()))) // → plain: Hello there.
console.log('hono:', await textOf(await hono.fetch(request()))) // → hono: Hello there.

const server = createServer(app).listen(0)
const { port } = server.address() as AddressInfo
const response = await fetch(`http://localhost:${port}/chat`, { method: 'POST', headers, body })
console.log('express:', response.headers.get('content-type')) // → express: text/event-stream; charset=utf-8
console.log('express:', await textOf(response)) // → express: Hello there.

// A body that is not JSON, and one without messages: both get status 400 with a code.
for (const wrong of ['{', '{}']) {
  const refused = [
    await handle(new Request('http://localhost/chat', { method: 'POST', headers, body: wrong })),
    await fetch(`http://localhost:${port}/chat`, { method: 'POST', headers, body: wrong }),
  ]
  const codes = await Promise.all(refused.map(async each => ((await each.json()) as { code: string }).code))
  console.log(wrong, refused.map(({ status }) => status).join(), codes.join())
}
// → { 400,400 request-invalid,request-invalid
// → {} 400,400 request-invalid,request-invalid
server.close()
await runtime.close()
