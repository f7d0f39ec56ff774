import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel(['Twelve.'])
// #region serve
import { toErrorInfo } from '@parley/core'
import { toAgentError, toHttpStatus, toResponse, toRunInput } from '@parley/agent-api'
import { parseAgentRequest } from '@parley/agent-api/schema'

const runtime = createRuntime({ agents: [defineAgent({ name: 'assistant', model })] })

async function answer(request: Request): Promise<Response> {
  try {
    const { input, history, sessionId } = toRunInput(parseAgentRequest(await request.json()))
    const run = runtime.run('assistant', input, { history, sessionId })
    return toResponse(run)
  } catch (error) {
    const info = toErrorInfo(error)
    return Response.json({ error: toAgentError(info) }, { status: toHttpStatus(info) })
  }
}
// #endregion
// #region ask
import { createAgentClient } from '@parley/agent-api'

const client = createAgentClient({ baseUrl: 'http://agent', fetch: (url, init) => answer(new Request(url, init)) })
const stream = await client.process({
  input: [{ role: 'user', content: [{ type: 'text', text: 'Three times four?' }] }],
})
for await (const event of stream) {
  if (event.object === 'content' && event.type === 'text' && event.delta) console.log(event.text) // → Twelve.
}
const { status, output } = await stream.response()
console.log(status, output?.length) // → completed 1
// #endregion
await runtime.close()
