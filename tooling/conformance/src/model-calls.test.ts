import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { costOf, defineTool, messageText, ParleyError, ZERO_USAGE } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createAnthropic } from '@parley/anthropic'
import { createOpenAI } from '@parley/openai'
import { fallback } from '@parley/provider-kit'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { assistant, eventsOf } from './__fixtures__/assistant.ts'

/** A model server on a real socket. It gives the answers in order and repeats the last one. */
async function serve(...answers: readonly ((response: ServerResponse) => void)[]) {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => (answers[asked++] ?? answers.at(-1))?.(response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const fail =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"no"}}')
  }
const say = (text: string) => (response: ServerResponse) => {
  const chunk = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${chunk({ role: 'assistant', content: text }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
}

it('16: a model call waits as long as the server asks and retries only temporary errors, within the same turn', async () => {
  const agentAt = (baseUrl: string) =>
    defineAgent({
      name: 'a',
      model: createOpenAI({ baseUrl, apiKey: 'k', api: 'chat' }).model('m'),
      limits: { maxTurns: 1 },
    })
  for (const [status, headers, waited] of [
    [429, { 'retry-after': '2' }, 2_000],
    [500, {}, expect.any(Number)],
    [529, {}, expect.any(Number)],
    [400, {}, undefined],
    [401, {}, undefined],
  ] as const) {
    await using server = await serve(fail(status, headers), say('Hi.'))
    const run = createRuntime().run(agentAt(server.baseUrl), 'go')
    const waits = (await eventsOf(run)).flatMap(event => (event.type === 'model.retrying' ? [event.delayMs] : []))
    expect([status, waits]).toEqual([status, waited === undefined ? [] : [waited]])
    expect(await run.result).toMatchObject({ status: waited === undefined ? 'failed' : 'completed', turns: 1 })
    expect(server.asked()).toBe(waited === undefined ? 1 : 2)
  }
})

it('16b: a model call that waits before a retry ends at once when the run is cancelled', async () => {
  await using server = await serve(fail(429, { 'retry-after': '30' }))
  const model = createOpenAI({ baseUrl: server.baseUrl, apiKey: 'k', api: 'chat' }).model('m')
  const run = createRuntime().run(defineAgent({ name: 'a', model }), 'go')
  for await (const event of run) if (event.type === 'model.retrying') void run.cancel()
  expect(await run.result).toMatchObject({ status: 'cancelled' })
  expect(server.asked()).toBe(1)
})

it('17: a fallback repeats only the model call and runs no tool twice', async () => {
  let charged = 0
  const charge = defineTool({
    name: 'charge',
    description: 'd',
    input: { type: 'object' },
    execute: () => `charged ${++charged}`,
  })
  const down = new ParleyError({ code: 'model-overloaded', provider: 'p', detail: '' })
  const first = scriptedModel([{ toolCalls: [{ name: 'charge' }] }, { error: down.info }])
  const second = scriptedModel(['Done.'])
  const { run } = assistant([], { model: fallback(first, second), tools: [charge] })
  expect(await run().result).toMatchObject({ status: 'completed', text: 'Done.' })
  expect([charged, first.requests.length, second.requests.length]).toEqual([1, 2, 1])
})

it('19: the Anthropic provider raises a thinking budget that is below the minimum of the API', async () => {
  const bodies: string[] = []
  const fetch = async (_url: unknown, init?: RequestInit) => {
    if (typeof init?.body === 'string') bodies.push(init.body)
    return new Response('{"type":"error","error":{"type":"invalid_request_error","message":"x"}}', { status: 400 })
  }
  const model = createAnthropic({ apiKey: 'k', fetch: fetch as typeof globalThis.fetch }).model('claude-sonnet-4-5')
  const settings = { thinking: { budgetTokens: 128 }, maxOutputTokens: 4_096 }
  await createRuntime().run(defineAgent({ name: 'a', model, settings }), 'go').result
  expect(JSON.parse(bodies[0] ?? '{}')).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 1_024 } })
})

it('20: costOf charges each cached token once, at its own price', () => {
  const usage = { ...ZERO_USAGE, input: 1_000, output: 500, cacheRead: 8_000, cacheWrite: 2_000 }
  const pricing = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, source: 's', date: '2026-01-01' }
  // 1,000 × $3 + 500 × $15 + 8,000 × $0.30 + 2,000 × $3.75, each per million tokens.
  expect(costOf(usage, pricing).usd).toBeCloseTo(0.003 + 0.0075 + 0.0024 + 0.0075, 12)
})

it('21: a tool call of a truncated answer gets an error result if its arguments cannot be parsed', async () => {
  const given = assistant([{ toolCalls: [{ name: 'add', arguments: '{"a": 1, "b"' }], finish: 'length' }, 'Sorry.'])
  const run = given.run()
  expect((await eventsOf(run)).some(({ type }) => type === 'tool.started')).toBe(false)
  const [, , told] = given.model.requests[1]?.messages ?? []
  expect(told).toMatchObject({ role: 'tool', isError: true })
  expect(told === undefined ? '' : messageText(told)).toContain('not valid JSON')
})
