import * as fc from 'fast-check'
import { createStreamChecker } from '@parley/agent-api/check'
import { readAgentStream } from '@parley/agent-api'
import { createDemoModel } from '@parley/demo-model'
import { defineAgent } from '@parley/engine'
import { describe, expect, it } from 'vitest'
import { createTestApp } from './__fixtures__/open-test-server.ts'

const agents = [defineAgent({ name: 'demo', model: createDemoModel() })]
const PATHS = ['/process', '/v1/responses', '/v1/chat/completions', '/ag-ui', '/api/chat'] as const

/** JSON with the fields of requests and arbitrary values. */
const requestLike = fc.dictionary(
  fc.constantFrom(
    'input',
    'messages',
    'stream',
    'session_id',
    'id',
    'model',
    'tools',
    'temperature',
    'conversation',
    'n',
    'previous_response_id',
    'threadId',
    'runId',
    'resume',
    'max_tokens',
    'stop',
    'background',
    '__proto__',
  ),
  fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.array(
      fc.record(
        {
          role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'developer', 'odd'),
          type: fc.constantFrom('message', 'reasoning', 'function_call', 'mcp_approval_response', 'heartbeat'),
          content: fc.oneof(
            fc.string(),
            fc.array(
              fc.record(
                {
                  type: fc.constantFrom('text', 'data', 'image', 'input_text'),
                  text: fc.string(),
                  data: fc.jsonValue(),
                },
                { requiredKeys: ['type'] },
              ),
            ),
          ),
          parts: fc.array(fc.record({ type: fc.constant('text'), text: fc.string() })),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 4 },
    ),
  ),
)

const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: 'grapheme' }),
  fc.json(),
  requestLike.map(value => JSON.stringify(value)),
)

describe('fuzzing the server', () => {
  it('the server answers any body with a 4xx or with a valid stream', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), bodies, async (path, body) => {
        const { send } = createTestApp({ agents })
        const response = await send(path, {
          method: 'POST',
          body: typeof body === 'string' ? body : new Uint8Array(body),
        })
        const text = await response.text()
        if (response.status !== 200) {
          expect(response.status).toBeGreaterThanOrEqual(400)
          expect(response.status).toBeLessThan(500)
          expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
          expect(text).not.toMatch(/node_modules|\.ts:|at async/)
        } else if (path === '/process' && response.headers.get('content-type')?.includes('event-stream') === true) {
          const observer = createStreamChecker()
          await readAgentStream([text], { observer }).response()
          expect(observer.violations).toEqual([])
        }
      }),
      { numRuns: 600 },
    )
  })

  it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])(
    'the server answers %s requests to any address without a 5xx',
    async method => {
      const { send } = createTestApp({ agents })
      const segment = fc.oneof(
        fc.constantFrom('process', 'sessions', 'v1', 'responses', 'events', 'cancel', 'approvals', '..', '%00', '%ff'),
        fc.webFragments(),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(segment, { maxLength: 5 }), async segments => {
          const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }
          const response = await send(`/${segments.join('/')}`, { method, ...body })
          await response.text()
          expect(response.status).toBeLessThan(500)
        }),
        { numRuns: 100 },
      )
    },
  )
})
