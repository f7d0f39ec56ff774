// #region route
import { describePublicly, ParleyError } from '@parley/core'
import { createDemoModel } from '@parley/demo-model' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { parseUiMessageRequest, toResponse } from '@parley/encoders/ai-sdk-ui'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store' // or openPostgresStore, to keep chats

const agent = defineAgent({ name: 'assistant', model: createDemoModel() })
const runtime = createRuntime({ agents: [agent], store: createMemoryStore() })

export async function POST(request: Request): Promise<Response> {
  try {
    const { input, history, sessionId } = parseUiMessageRequest(await request.json().catch(() => null))
    return toResponse(runtime.run('assistant', input, { history, sessionId, signal: request.signal }))
  } catch (error) {
    if (!ParleyError.is(error, 'request-invalid')) throw error
    return Response.json({ code: error.code, message: describePublicly(error.info) }, { status: 400 })
  }
}
// #endregion

const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const body = JSON.stringify({ id: 'chat-1', messages: [message] })
const response = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))
const stream = await response.text()
console.log(response.status, stream.includes('"type":"text-delta"')) // → 200 true

const malformed = await POST(new Request('http://localhost/api/chat', { method: 'POST', body: '{' }))
console.log(malformed.status, ((await malformed.json()) as { code: string }).code) // → 400 request-invalid
