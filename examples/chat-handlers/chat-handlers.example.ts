// One chat endpoint in Hono, in Express and as a plain function from a Request to a Response.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { parseUiMessageRequest, toResponse } from '@parley/encoders/ai-sdk-ui'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import express from 'express'
import { Hono } from 'hono'

const agent = defineAgent({ name: 'assistant', model: scriptedModel(() => 'Hello there.') })
await using runtime = createRuntime({ agents: [agent] })

// #region handle
async function handle(request: Request): Promise<Response> {
  const { input, history } = parseUiMessageRequest(await request.json())
  return toResponse(runtime.run('assistant', input, { history, signal: request.signal }))
}
// #endregion

// #region hono
const hono = new Hono()
hono.post('/chat', context => handle(context.req.raw))
// #endregion

// #region express
const app = express()
app.post('/chat', express.json(), (request, response) => {
  const { input, history } = parseUiMessageRequest(request.body)
  const answer = toResponse(runtime.run('assistant', input, { history }))
  response.status(answer.status).setHeaders(answer.headers)
  if (answer.body !== null) Readable.from(answer.body).pipe(response)
})
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
server.close()
