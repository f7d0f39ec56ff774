import { defineTool } from '@parley/core'
import { scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { bookingAgent, overloaded } from './__fixtures__/booking-agent.ts'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'
import { readAsPython } from './__fixtures__/python-reader.ts'
import {
  decision,
  output,
  pythonRequest,
  question,
  webUiRequest,
  type ReferenceRequest,
} from './__fixtures__/reference-requests.ts'
import { eventsOf, readUntil } from './__fixtures__/sse.ts'
import { readAsWebUi } from './__fixtures__/web-ui-reader.ts'

const scope = 'default'
const profile = 'reference'
const anything = { type: 'object' as const }
const locate = { name: 'locate', description: 'Where the user is.', parameters: anything }
const locating: Script = [{ toolCalls: [{ name: 'locate', input: { of: 'user' } }] }, 'You are in Bern.']

function post(url: string, { headers, body }: ReferenceRequest, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/process`, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) })
}

async function textOf(url: string, request: ReferenceRequest): Promise<string> {
  return (await post(url, request)).text()
}

/** What both clients show of a stream, in one form. */
function shown(stream: string) {
  const ui = readAsWebUi(stream)
  const python = readAsPython(stream, 'async')
  expect(python).toEqual(readAsPython(stream, 'blocking'))
  const said = ui.cards.flatMap(({ type, text }) => (type === 'message' ? [text] : [])).join('')
  return { ...ui, said, status: python.status, pythonSaid: Object.values(python.said).join('') }
}

/** Data of the first message of a type. */
function dataOf(stream: string, type: string): Readonly<Record<string, unknown>> {
  for (const event of eventsOf(stream)) {
    if (event.object !== 'message' || event.type !== type) continue
    const part = event.content?.[0]
    if (part?.type === 'data' && part.data != null) return part.data
  }
  throw new Error(`no ${type}`)
}

const CLIENTS = [
  ['web UI', webUiRequest],
  ['Python client', pythonRequest],
] as const

describe('a recorded client of the reference', () => {
  it.each(CLIENTS)(
    'the %s reads an answer with a tool call while it is written',
    covers(
      'reference web UI: stream',
      'reference web UI: tools',
      'reference Python client: stream',
      'reference Python client: tools',
    ),
    async (_, requestOf) => {
      const script: Script = [{ toolCalls: [{ name: 'weather' }] }, 'The quick brown fox jumps.']
      await using served = await openTestServer({ script, profile })
      const stream = await textOf(served.url, requestOf(question('Weather?'), 's'))
      expect(shown(stream)).toMatchObject({
        loading: false,
        status: 'completed',
        said: 'The quick brown fox jumps.',
        pythonSaid: 'The quick brown fox jumps.',
      })
      expect(readAsWebUi(stream).cards.map(({ type }) => type)).toEqual([
        'plugin_call',
        'plugin_call_output',
        'message',
      ])
      expect(stream.match(/"delta":true/g)?.length).toBeGreaterThan(1)
    },
  )

  it(
    'the Python client brings a tool and sends its output, which continues the run',
    covers('reference Python client: client tools'),
    async () => {
      await using served = await openTestServer({ script: locating, profile })
      const asked = await textOf(served.url, pythonRequest(question('Where am I?'), 's', [locate]))
      const call = dataOf(asked, 'function_call')
      expect(call).toMatchObject({ name: 'locate', arguments: '{"of":"user"}' })
      const answered = await textOf(served.url, pythonRequest(output(String(call['call_id']), 'Bern'), 's', [locate]))
      expect(shown(answered)).toMatchObject({ status: 'completed', pythonSaid: 'You are in Bern.' })
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it(
    'the web UI ends an answer that waits for its page, and the output of the page continues the run',
    covers('reference web UI: client tools'),
    async () => {
      const tools = [defineTool({ name: 'locate', description: 'Where the user is.', input: anything })]
      await using served = await openTestServer({ script: locating, profile, agent: { tools } })
      const asked = await textOf(served.url, webUiRequest(question('Where am I?'), 's'))
      expect(readAsWebUi(asked)).toMatchObject({ loading: false, error: undefined })
      const callId = String(dataOf(asked, 'function_call')['call_id'])
      const answered = await textOf(served.url, webUiRequest(output(callId, 'Bern'), 's'))
      expect(shown(answered)).toMatchObject({ loading: false, said: 'You are in Bern.' })
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it.each(CLIENTS.flatMap(([name, requestOf]) => [true, false].map(approve => [name, approve, requestOf] as const)))(
    'the %s answers an approval with %s, and the run continues',
    covers(
      'reference web UI: approval yes',
      'reference web UI: approval no',
      'reference Python client: approval yes',
      'reference Python client: approval no',
    ),
    async (_, approve, requestOf) => {
      const script: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Done.', 'Hello again.']
      await using served = await openTestServer({ script, profile })
      const asked = await textOf(served.url, requestOf(question('Pay.'), 's'))
      expect(readAsWebUi(asked).loading).toBe(false)
      const { id } = dataOf(asked, 'mcp_approval_request')
      const answer = decision(String(id), approve, approve ? null : 'too dear')
      const answered = await textOf(served.url, requestOf(answer, 's'))
      expect(shown(answered)).toMatchObject({ loading: false, status: 'completed', said: 'Done.', pythonSaid: 'Done.' })
      expect(dataOf(answered, 'plugin_call_output')['output']).toContain(approve ? 'paid' : 'too dear')
      expect(shown(await textOf(served.url, requestOf(question('Hello?'), 's'))).said).toBe('Hello again.')
    },
  )

  it.each(CLIENTS)(
    'the %s that closes its connection cancels the run, and its next message is answered',
    covers('reference web UI: stop', 'reference Python client: stop'),
    async (_, requestOf) => {
      const script: Script = [{ text: 'The quick brown fox', hang: true }, 'Hello again.']
      await using served = await openTestServer({ script, profile })
      await readUntil(await post(served.url, requestOf(question('Go.'), 's')), '"delta":true')
      const cancelled = () => served.store.runs({ scope, status: 'cancelled' })
      await vi.waitFor(async () => expect(await cancelled()).toHaveLength(1), 30_000)
      expect(shown(await textOf(served.url, requestOf(question('Again.'), 's'))).said).toBe('Hello again.')
    },
  )

  it.each(CLIENTS)(
    'the %s asks the same question again: a new answer after the first one',
    covers('reference web UI: regenerate', 'reference Python client: regenerate'),
    async (_, requestOf) => {
      const model = scriptedModel(['One.', 'Two.'])
      await using served = await openTestServer({ agent: { model }, profile })
      for (const said of ['One.', 'Two.'])
        expect(shown(await textOf(served.url, requestOf(question('Go.'), 's'))).said).toBe(said)
      // The request does not say that it replaces an answer.
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('One.')
      expect(await served.store.runs({ scope, sessionId: 's' })).toHaveLength(2)
    },
  )

  it.each(CLIENTS)(
    'a storm of failing runs of the %s begins each run once, and the client shows the failure',
    covers(
      'reference web UI: failure',
      'reference web UI: retry storm',
      'reference Python client: failure',
      'reference Python client: retry storm',
    ),
    async (_, requestOf) => {
      const { ledger, ...options } = bookingAgent(() => ({ error: overloaded }))
      await using served = await openTestServer({ ...options, profile })
      const send = (run: number) => textOf(served.url, requestOf(question(`Book ${run}.`), `s-${run}`))
      const runs = Array.from({ length: 50 }, (__, run) => run)
      for (const stream of await Promise.all(runs.map(send))) {
        expect(shown(stream)).toMatchObject({
          loading: false,
          status: 'failed',
          error: { code: 'MODEL_EXECUTION_FAILED' },
        })
        expect(stream).not.toContain('Try later.')
      }
      // A user sends the message again: neither client repeats a request by itself.
      await Promise.all(runs.map(send))
      expect(new Set(ledger).size).toBe(50)
      expect(ledger).toHaveLength(50)
      expect(await served.store.runs({ scope, limit: 1_000 })).toHaveLength(50)
    },
  )
})
