import { defineTool } from '@parley/core'
import { expect, it } from 'vitest'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import type { ProblemBody } from './__fixtures__/problem-of.ts'
import { ask } from './__fixtures__/sse.ts'

/** A request of each protocol that has sessions, for the session `s`. */
const REQUESTS: Readonly<Record<string, (text: string) => readonly [path: string, body: object]>> = {
  'agent-api': text => ['/process', ask(text, { session_id: 's' })],
  'ag-ui': text => ['/ag-ui', { threadId: 's', runId: text, messages: [{ id: text, role: 'user', content: text }] }],
  'ai-sdk-ui': text => [
    '/api/chat',
    { id: 's', messages: [{ id: text, role: 'user', parts: [{ type: 'text', text }] }] },
  ],
  'openai-responses': text => ['/v1/responses', { input: text, conversation: 's' }],
}

it.each(Object.keys(REQUESTS))(
  'a message of %s to a session whose run is suspended is refused with the approval that the session waits for',
  async protocol => {
    const { send, runtime } = createTestApp({ script: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'] })
    const post = (text: string): Promise<Response> => {
      const [path, json] = REQUESTS[protocol]?.(text) ?? expect.unreachable()
      return send(path, { json })
    }
    await (await post('one')).text()
    const [request] = await runtime.approvals()
    const refused = await post('two')
    expect(refused.status).toBe(409)
    const { error } = (await refused.json()) as ProblemBody
    expect(error.code).toBe('SESSION_BUSY')
    expect(error.message).toBe(
      `Session 's' takes no message, because its run '${request?.runId}' waits for approval '${request?.approvalId}' of a ` +
        "call of 'pay'. Answer that, or cancel the run, then try again.",
    )
  },
)

it('a message to a session whose run waits for the client is refused with the call that the client must answer', async () => {
  const photo = defineTool({ name: 'photo', description: 'Takes one.', input: { type: 'object' } })
  const script = [{ toolCalls: [{ name: 'photo', callId: 'c1' }] }]
  const { send } = createTestApp({ script, agent: { tools: [photo] } })
  const post = (text: string) => send('/process', { json: ask(text, { session_id: 's', stream: false }) })
  await (await post('one')).text()
  const refused = await post('two')
  const { error } = (await refused.json()) as ProblemBody
  expect([refused.status, error.message]).toEqual([409, expect.stringContaining("the result of call 'c1' of 'photo'")])
})
