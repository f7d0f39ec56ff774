import { createAgentClient, type AgentProfile } from '@parley/agent-api'
import type { Script } from '@parley/testing'
import { manyDeltas } from './many-deltas.ts'
import { openTestServer, type TestServerOptions } from './open-test-server.ts'
import { ask, eventsOf, readUntil } from './sse.ts'

const call = (name: string, input: unknown = {}) => ({ toolCalls: [{ name, input }] })
const overloaded = { code: 'model-overloaded', provider: 'scripted', detail: 'Try later.' } as const
const words = 'The quick brown fox jumps over the lazy dog.'
const unicode = 'caf\u00e9 \u6771\u4eac \u{1f469}\u200d\u{1f680} \u2028\u2029\u0085 data: x\n\ndata: {"y":1}'
const image = {
  input: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', image_url: 'data:image/png;base64,AAAA' },
        { type: 'file', file_url: 'https://example.com/a.pdf', filename: 'a.pdf' },
      ],
    },
  ],
}
const loop: Script = [
  { reasoning: 'Look first.', text: 'Let me look. ', ...call('weather', { city: 'Oslo' }) },
  { text: 'Again. ', ...call('weather', { city: 'Bergen' }) },
  'Sunny in both.',
]

type Served = Awaited<ReturnType<typeof openTestServer>>

function post(url: string, body: object): Promise<Response> {
  return fetch(`${url}/process`, { method: 'POST', body: JSON.stringify(body) })
}

const hang: Script = [{ reasoning: 'Hm.', text: words, hang: true }]

/** Sends a question, waits for the first delta, and cancels. */
async function cancelled({ url }: Served): Promise<string> {
  const first = await post(url, ask('go', { id: 'mine' }))
  await readUntil(first, '"delta":true')
  await createAgentClient({ baseUrl: url }).cancel('mine')
  return (await fetch(`${url}/process/mine/events`)).text()
}

async function decided({ url }: Served, approve: boolean, session: string): Promise<string> {
  const waiting = eventsOf(await (await post(url, ask('go', { session_id: session }))).text())
  const requests = waiting.flatMap(event =>
    event.object === 'content' && event.status === 'completed' && event.type === 'data' && event.data?.['prompt']
      ? [event.data['id']]
      : [],
  )
  const answers = requests.map(id => ({
    role: 'user',
    type: 'mcp_approval_response',
    content: [{ type: 'data', data: { approval_request_id: id, approve, reason: approve ? null : 'too dear' } }],
  }))
  return (await post(url, { input: answers, session_id: session })).text()
}

const paying: Script = [{ text: 'Paying. ', ...call('pay') }, 'Done.']
const payingTwice: Script = [{ toolCalls: [{ name: 'pay' }, { name: 'pay' }] }, 'Done.']

type Scenario = (open: (options: TestServerOptions) => Promise<Served>) => Promise<string>

/** Sends one request and returns its stream. */
function streamOf(options: TestServerOptions, body: object = ask()): Scenario {
  return withServer(options, async ({ url }) => (await post(url, body)).text())
}

function withServer(options: TestServerOptions, act: (served: Served) => Promise<string>): Scenario {
  return async open => {
    await using served = await open(options)
    return await act(served)
  }
}

const scenarios: Readonly<Record<string, Scenario>> = {
  text: streamOf({ script: [words] }),
  unicode: streamOf({ script: [{ text: unicode, chunkSize: 3 }] }, ask(unicode)),
  'empty answer': streamOf({ script: [''] }),
  'empty question': streamOf({ script: [words] }, { input: [] }),
  reasoning: streamOf({ script: [{ reasoning: 'They ask. I answer.', text: words }] }),
  'tool loop': streamOf({ script: loop }),
  'parallel calls':
    streamOf({ script: [{ toolCalls: [{ name: 'weather' }, { name: 'slow' }, { name: 'broken' }] }, 'Done.'] }),
  'failing tool': streamOf({ script: [call('broken'), 'It failed.'] }),
  'unknown tool': streamOf({ script: [call('nothing'), 'It is unknown.'] }),
  'arguments with invalid JSON':
    streamOf({ script: [{ toolCalls: [{ name: 'weather', arguments: '{"a":' }] }, 'Sorry.'] }),
  'tool that returns a file': streamOf({ script: [call('picture'), 'Done.'] }),
  'tool of a server': streamOf({ script: [call('mcp__db__query', { sql: 'select 1' }), 'One.'] }),
  'pending approval': streamOf({ script: paying }),
  'approval given': withServer({ script: paying }, served => decided(served, true, 's')),
  'approval rejected': withServer({ script: paying }, served => decided(served, false, 's')),
  'two approvals in one request': withServer({ script: payingTwice }, served => decided(served, true, 's')),
  'approval by its own route':
    withServer({ script: paying }, async ({ url }) => {
      await (await post(url, ask('go', { id: 'mine' }))).text()
      const { data } = (await (await fetch(`${url}/process/mine/approvals`)).json()) as { data: { approvalId: string }[] }
      const path = `/process/mine/approvals/${data[0]?.approvalId}`
      return (await fetch(`${url}${path}`, { method: 'POST', body: '{"approve":true}' })).text()
    }),
  'unknown approval':
    streamOf(
      {},
      {
        input: [
          {
            type: 'mcp_approval_response',
            content: [{ type: 'data', data: { approval_request_id: 'none', approve: true } }],
          },
        ],
      },
    ),
  'failure before output': streamOf({ script: [{ error: overloaded }] }),
  'failure during output': streamOf({ script: [{ reasoning: 'hm', text: words, error: overloaded }] }),
  cancelled: withServer({ script: hang }, cancelled),
  'rejected by a filter':
    streamOf({
      script: ['Hi.'],
      agent: { inputFilters: [{ name: 'guard', check: () => ({ type: 'reject', reason: 'not here' }) }] },
    }),
  'turn limit': streamOf({ script: loop, agent: { limits: { maxTurns: 1 } } }),
  'cut off by its length': streamOf({ script: [{ text: words, finish: 'length' }] }),
  'image and file as input': streamOf({ script: ['A cat.'] }, image),
  'structured output by a tool':
    streamOf({
      script: [call('final_answer', { ok: 1 })],
      agent: { output: { type: 'object', required: ['ok'] }, outputOptions: { strategy: 'tool' } },
    }),
  'ten thousand deltas': streamOf({ agent: { model: manyDeltas(10_000) } }),
  'second turn of a session':
    withServer({ script: [words, 'Again.'] }, async ({ url }) => {
      await (await post(url, ask('one', { session_id: 's' }))).text()
      return (await post(url, ask('two', { session_id: 's' }))).text()
    }),
  'reconnect in the middle':
    withServer({ script: [{ text: words, chunkSize: 4 }] }, async ({ url }) => {
      const first = await readUntil(await post(url, ask('go', { id: 'mine' })), '"delta":true')
      const whole = first.slice(0, first.lastIndexOf('\n\n') + 2)
      const last = eventsOf(whole).at(-1)?.sequence_number
      return whole + (await (await fetch(`${url}/process/mine/events?starting_after=${last}`)).text())
    }),
  'second reader':
    withServer({ script: loop }, async ({ url }) => {
      const [, second] = await Promise.all([
        post(url, ask('go', { id: 'mine' })).then(response => response.text()),
        post(url, ask('go', { id: 'other' })).then(async () => (await fetch(`${url}/process/mine/events`)).text()),
      ])
      return second
    }),
  'from the journal':
    withServer({ script: loop, limits: { maxKeptStreams: 1 } }, async ({ url }) => {
      const [first] = eventsOf(await (await post(url, ask())).text())
      await (await post(url, ask())).text()
      await (await post(url, ask())).text()
      const id = first?.object === 'response' ? first.id : ''
      return (await fetch(`${url}/process/${id}/events`)).text()
    }),
  'in the background':
    withServer({ script: loop }, async ({ url }) => {
      const { id } = (await (await post(url, ask('go', { background: true }))).json()) as { id: string }
      return (await fetch(`${url}/process/${id}/events`)).text()
    }),
}

/** Requests to a server with this profile, by name. Each returns the stream of the response. */
export function scenariosOf(profile: AgentProfile): Readonly<Record<string, () => Promise<string>>> {
  const open = (options: TestServerOptions): Promise<Served> => openTestServer({ ...options, profile })
  return Object.fromEntries(Object.entries(scenarios).map(([name, scenario]) => [name, () => scenario(open)]))
}
