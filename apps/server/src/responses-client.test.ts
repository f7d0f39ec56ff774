import { agentTool, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'
import OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'
import { hashApiKey } from './access/api-key.ts'

const KEY_A = 'a-long-enough-key-of-a'
const KEY_B = 'a-long-enough-key-of-b'
const keys = [KEY_A, KEY_B].map((key, index) => ({ name: `key-${index}`, hash: hashApiKey(key) }))
const loop: Script = [
  { reasoning: 'Look first.', text: 'Let me look. ', toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] },
  'Sunny.',
]
const paying: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Paid.']
const hang: Script = [{ text: 'The quick brown fox', hang: true }]
const ask = { model: 'guide', input: 'Weather?' } as const

function responsesOf(url: string, apiKey = 'none'): OpenAI['responses'] {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 }).responses
}

interface Numbered {
  readonly type: string
  readonly sequence_number: number
}

async function all<TEvent extends Numbered>(stream: AsyncIterable<TEvent>): Promise<readonly TEvent[]> {
  const events: TEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Starts a response, reads `count` events and leaves. Returns its id and these events. */
async function leaveAfter(responses: OpenAI['responses'], count: number): Promise<readonly [string, Numbered[]]> {
  const seen: Numbered[] = []
  let id = ''
  for await (const event of await responses.create({ ...ask, stream: true, background: true })) {
    if (event.type === 'response.created') ({ id } = event.response)
    if (seen.push(event) === count) break
  }
  return [id, seen]
}

describe('the stream of an existing response', () => {
  it(
    'a stream resumes after starting_after, while the response is written and after its end',
    covers('openai SDK: resume'),
    async () => {
      const until = Promise.withResolvers<void>()
      const script: Script = [loop[0] ?? '', { text: 'Sunny.', until: until.promise }]
      await using served = await openTestServer({ script })
      const responses = responsesOf(served.url)
      const [id, seen] = await leaveAfter(responses, 5)
      const during = responses.retrieve(id, { stream: true, starting_after: 4 }).then(all)
      until.resolve()
      const rest = await during
      const whole = await responses.retrieve(id, { stream: true }).then(all)
      expect([...seen, ...rest]).toEqual(whole)
      expect(whole.map(event => event.sequence_number)).toEqual(whole.map((_, index) => index))
      expect(whole.at(-1)).toMatchObject({ type: 'response.completed', response: { id } })
      expect(await responses.retrieve(id, { stream: true, starting_after: whole.length - 1 }).then(all)).toEqual([])
    },
  )

  it('the openai SDK assembles a response from a stream that starts in the middle', async () => {
    await using served = await openTestServer({ script: loop })
    const responses = responsesOf(served.url)
    const [id] = await leaveAfter(responses, 3)
    const again = responses.stream({ response_id: id, starting_after: 7 })
    const events = await all(again)
    expect(events[0]?.sequence_number).toBe(8)
    expect((await again.finalResponse()).output_text).toBe('Let me look. Sunny.')
  })

  it('a new server streams a response from the journal, but only from its first event', async () => {
    const store = createMemoryStore()
    await using before = await openTestServer({ store, script: loop })
    const first = await responsesOf(before.url).create(ask)
    await using after = await openTestServer({ store })
    const responses = responsesOf(after.url)
    const events = await all(await responses.retrieve(first.id, { stream: true }))
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id: first.id, output: first.output },
    })
    const gone = responses.retrieve(first.id, { stream: true, starting_after: 3 })
    await expect(gone).rejects.toMatchObject({ status: 400, code: 'INVALID_PARAMETER' })
  })

  it('the stream of a response after an approval contains the approved call', async () => {
    await using served = await openTestServer({ script: paying })
    const responses = responsesOf(served.url)
    const first = await responses.create(ask)
    const request = first.output.find(item => item.type === 'mcp_approval_request')
    const approval_request_id = request?.id ?? ''
    const input = [{ type: 'mcp_approval_response', approval_request_id, approve: true } as const]
    const second = await responses.create({ model: 'guide', previous_response_id: first.id, input })
    const events = await all(await responses.retrieve(second.id, { stream: true }))
    expect(events.at(-1)).toMatchObject({ response: { id: second.id, output: second.output } })
    expect((await responses.inputItems.list(second.id)).data).toMatchObject([
      { type: 'mcp_approval_response', approval_request_id, approve: true },
    ])
  })
})

describe('a response', () => {
  it('a response repeats the fields of its request, also on a new server', async () => {
    const store = createMemoryStore()
    await using served = await openTestServer({ store, script: loop })
    const given = { instructions: 'Be brief.', metadata: { order: '7' }, temperature: 0.5, max_output_tokens: 900 }
    const first = await responsesOf(served.url).create({ ...ask, ...given })
    expect(first).toMatchObject(given)
    const second = await responsesOf(served.url).create({ ...ask, previous_response_id: first.id, background: true })
    expect(second).toMatchObject({ previous_response_id: first.id, background: true })
    await using after = await openTestServer({ store })
    expect(await responsesOf(after.url).retrieve(first.id)).toMatchObject(given)
    expect(await responsesOf(after.url).retrieve(second.id)).toMatchObject({ previous_response_id: first.id })
  })

  it('the openai SDK parses a response by the schema of its request', async () => {
    await using served = await openTestServer({ script: ['{"city":"Oslo","sunny":true}'] })
    const format = zodTextFormat(z.object({ city: z.string(), sunny: z.boolean() }), 'weather')
    const parsed = await responsesOf(served.url).parse({ ...ask, text: { format } })
    expect(parsed.output_parsed).toEqual({ city: 'Oslo', sunny: true })
    expect(parsed.text?.format).toMatchObject({ type: 'json_schema', name: 'weather' })
  })

  it('an unfinished response contains its complete items and can be cancelled', async () => {
    await using served = await openTestServer({ script: [loop[0] ?? '', ...hang] })
    const responses = responsesOf(served.url)
    const stream = await responses.create({ ...ask, stream: true })
    let id = ''
    for await (const event of stream) {
      if (event.type === 'response.created') ({ id } = event.response)
      if (event.type === 'response.output_text.delta' && event.delta.startsWith('The')) break
    }
    const sofar = await responses.retrieve(id)
    expect(sofar.status).toBe('in_progress')
    expect(sofar.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'mcp_call'])
    expect((await responses.cancel(id)).status).toBe('cancelled')
    expect((await responses.cancel(id)).status).toBe('cancelled')
    expect((await responses.retrieve(id)).status).toBe('cancelled')
  })

  it(
    'a second response after the same previous_response_id becomes a branch',
    covers('openai SDK: regenerate'),
    async () => {
      await using served = await openTestServer({ script: ['One.', 'Two.', 'Three.'] })
      const responses = responsesOf(served.url)
      const first = await responses.create({ model: 'guide', input: 'a' })
      const continuing = { model: 'guide', previous_response_id: first.id } as const
      const second = await responses.create({ ...continuing, input: 'b' })
      const branch = await responses.create({ ...continuing, input: 'c', temperature: 0.1 })
      const runs = await served.store.runs({ scope: 'default' })
      const of = (id: string) => runs.find(run => id.endsWith(run.runId))
      expect(of(second.id)?.sessionId).toBe(of(first.id)?.sessionId)
      expect(of(branch.id)?.sessionId).not.toBe(of(first.id)?.sessionId)
      const said = await served.runtime.transcript(of(branch.id)?.runId ?? '')
      expect(JSON.stringify(said)).toMatch(/"a".*One\..*"c".*Three\./)
      expect(JSON.stringify(said)).not.toContain('Two.')
    },
  )

  it('input_items returns the input of a response in pages', async () => {
    await using served = await openTestServer()
    const responses = responsesOf(served.url)
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      { type: 'input_file', file_url: 'https://example.com/a.pdf', filename: 'a.pdf' },
    ] as const
    const { id } = await responses.create({ model: 'guide', input: [{ role: 'user', content: [...content] }] })
    const { data } = await responses.inputItems.list(id)
    expect(data).toMatchObject([{ type: 'message', role: 'user', content }])
    const after = responses.inputItems.list(id, { after: data[0]?.id ?? '', limit: 1, order: 'asc' })
    expect((await after).data).toEqual([])
    await expect(responses.inputItems.list(id, { limit: 0 })).rejects.toMatchObject({ status: 400 })
  })

  it('DELETE removes a response with its run, unless the run is unfinished or another run continues it', async () => {
    await using served = await openTestServer({ script: ['One.', 'Two.', ...hang] })
    const responses = responsesOf(served.url)
    const first = await responses.create({ ...ask, conversation: 'talk' })
    const second = await responses.create({ ...ask, previous_response_id: first.id })
    await expect(responses.delete(first.id)).rejects.toMatchObject({ status: 409 })
    expect(await responses.delete(second.id)).toEqual({ id: second.id, object: 'response.deleted', deleted: true })
    await expect(responses.retrieve(second.id)).rejects.toMatchObject({ status: 404 })
    await expect(responses.retrieve(second.id, { stream: true })).rejects.toMatchObject({ status: 404 })
    await responses.delete(first.id)
    expect((await fetch(`${served.url}/sessions/talk`)).status).toBe(404)
    const third = await responses.create({ ...ask, background: true })
    await expect(responses.delete(third.id)).rejects.toMatchObject({ status: 409 })
    await responses.cancel(third.id)
    await responses.delete(third.id)
  })

  it('DELETE removes the child runs of a response', async () => {
    const helper = defineAgent({ name: 'helper', description: 'Helps.', model: scriptedModel(['Done.']) })
    const agent = { tools: [agentTool(helper)] }
    const script: Script = [{ toolCalls: [{ name: 'helper', input: { task: 'Help.' } }] }, 'Helped.']
    await using served = await openTestServer({ script, agent })
    const { id, output_text } = await responsesOf(served.url).create(ask)
    expect(output_text).toBe('Helped.')
    expect(await served.store.runs({ scope: 'default' })).toHaveLength(2)
    await responsesOf(served.url).delete(id)
    expect(await served.store.runs({ scope: 'default' })).toEqual([])
  })

  it('a client of another scope receives 404 for every operation on a response', async () => {
    await using served = await openTestServer({ keys, script: loop })
    const mine = responsesOf(served.url, KEY_A)
    const { id } = await mine.create(ask)
    const others = responsesOf(served.url, KEY_B)
    const tries = [
      others.retrieve(id),
      others.retrieve(id, { stream: true }),
      others.cancel(id),
      others.delete(id),
      others.inputItems.list(id),
      others.create({ ...ask, previous_response_id: id }),
    ]
    for (const each of tries) await expect(each).rejects.toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' })
    expect((await mine.retrieve(id)).status).toBe('completed')
    for (const bad of [`${id}_99`, 'resp_none']) await expect(mine.retrieve(bad)).rejects.toMatchObject({ status: 404 })
  })
})
