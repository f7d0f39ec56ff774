import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const runtime = createRuntime({ agents: [defineAgent({ name: 'assistant', model: scriptedModel(['Hello there.']) })] })

// #region serve
import { parseUiMessageRequest, toResponse } from '@parley/encoders/ai-sdk-ui'

async function handle(request: Request): Promise<Response> {
  const { input, history } = parseUiMessageRequest(await request.json())
  return toResponse(runtime.run('assistant', input, { history }))
}
// #endregion

const body = { id: 'chat', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }
const response = await handle(new Request('http://agent/chat', { method: 'POST', body: JSON.stringify(body) }))
console.log(response.headers.get('content-type')) // → text/event-stream; charset=utf-8
console.log((await response.text()).trimEnd().split('\n').at(-1)) // → data: [DONE]
