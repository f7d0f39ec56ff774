// Deep: it starts the MCP inspector and loads the server with its requests.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { defineTool, type Tool } from '@parley/core'
import { agentsAsTools, createMcpServer } from '@parley/mcp'
import { installPrograms } from '@parley-tooling/runtimes/install-programs'
import type { Script } from '@parley/testing'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { bookingAgent, overloaded } from './__fixtures__/booking-agent.ts'
import { covers } from './__fixtures__/client-cells.ts'
import { inspect } from './__fixtures__/mcp-inspector.ts'
import { compose, openTestServer, type TestServerOptions } from './__fixtures__/open-test-server.ts'

const scope = 'default'
const anything = { type: 'object' as const }
const paying: Tool = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: anything,
  permission: 'ask',
  execute: (_, { approved }) => (approved === true ? 'paid' : 'not approved'),
})

/** A server whose agent `guide` and whose tool `pay` are tools for MCP clients. The user approves sums up to 5. */
async function openMcpAgents(options: TestServerOptions) {
  const composition = compose(options)
  const approve = ({ input }: { readonly input: unknown }) => (input as { sum: number }).sum <= 5
  const tools = [...agentsAsTools(composition.runtime), paying]
  const mcp = createMcpServer({ name: 'agents', version: '1', tools, approve })
  const served = await openTestServer({ ...composition, mcp })
  return {
    ...served,
    async [Symbol.asyncDispose]() {
      await mcp.close()
      await served[Symbol.asyncDispose]()
    },
  }
}

async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'official', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as Parameters<Client['connect']>[0])
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

const looking: Script = [{ toolCalls: [{ name: 'weather' }] }, 'Sunny.']
const booking = () => bookingAgent(() => ({ error: overloaded }))
const hanging: Script = [{ text: 'The quick brown fox', hang: true }]
const asking = { name: 'guide', arguments: { input: 'Go.' } }
const call = ['--method', 'tools/call', '--tool-name']

describe('the MCP SDK', () => {
  it(
    'the MCP SDK calls an agent and reads its steps as progress',
    covers('MCP SDK: stream', 'MCP SDK: tools'),
    async () => {
      await using served = await openMcpAgents({ script: looking })
      await using client = await connect(served.url)
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['guide', 'pay'])
      const steps: (string | undefined)[] = []
      const options = {
        onprogress: ({ message }: { readonly message?: string | undefined }) => void steps.push(message),
      }
      const result = await client.callTool(asking, undefined, options)
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'Sunny.' }] })
      expect(steps.slice(0, 3)).toEqual(['asks scripted/script (turn 1)', 'calls weather', 'weather answered'])
    },
  )

  it.each([
    [3, 'paid', undefined],
    [7, 'the user refused', true],
  ])(
    'the MCP SDK calls a tool that needs approval, and the approver decides about %i',
    covers('MCP SDK: approval yes', 'MCP SDK: approval no'),
    async (sum, words, isError) => {
      await using served = await openMcpAgents({})
      await using client = await connect(served.url)
      const result = await client.callTool({ name: 'pay', arguments: { sum } })
      expect(result.isError).toBe(isError)
      expect(JSON.stringify(result.content)).toContain(words)
    },
  )

  it('the MCP SDK learns that the run of an agent is suspended for approval, and does not repeat it', async () => {
    await using served = await openMcpAgents({ script: () => ({ toolCalls: [{ name: 'pay' }] }) })
    await using client = await connect(served.url)
    const result = await client.callTool(asking)
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/suspended for approval, in run/) as string }],
    })
    expect(await served.store.runs({ scope })).toMatchObject([{ status: 'suspended' }])
  })

  it(
    'the abort of a call of the MCP SDK cancels the run, and the next call is answered',
    covers('MCP SDK: stop'),
    async () => {
      await using served = await openMcpAgents({ script: [...hanging, 'Hello again.'] })
      await using client = await connect(served.url)
      const stop = new AbortController()
      const first = client.callTool(asking, undefined, { signal: stop.signal, onprogress: () => stop.abort('enough') })
      await expect(first).rejects.toThrow('enough')
      const cancelled = () => served.store.runs({ scope, status: 'cancelled' })
      await vi.waitFor(async () => expect(await cancelled()).toHaveLength(1), 30_000)
      expect(await client.callTool(asking)).toMatchObject({ content: [{ text: 'Hello again.' }] })
    },
  )

  it(
    'a storm of failing calls of the MCP SDK begins each run once, and each effect happens once',
    covers('MCP SDK: failure', 'MCP SDK: retry storm'),
    async () => {
      const { ledger, ...options } = booking()
      await using served = await openMcpAgents(options)
      const clients = await Promise.all(Array.from({ length: 10 }, () => connect(served.url)))
      const results = await Promise.all(
        clients.flatMap(client => Array.from({ length: 5 }, () => client.callTool(asking))),
      )
      for (const result of results) {
        expect(result.isError).toBe(true)
        expect(JSON.stringify(result.content)).toMatch(/overloaded/)
        expect(JSON.stringify(result.content)).not.toContain('Try later.')
      }
      const runs = await served.store.runs({ scope, limit: 1_000 })
      expect([runs.length, ledger.length, new Set(ledger).size]).toEqual([50, 50, 50])
      await Promise.all(clients.map(client => client.close()))
    },
  )
})

describe('the MCP inspector', () => {
  beforeAll(installPrograms, 600_000)

  it(
    'the MCP inspector lists the tools, and calls an agent and a tool that needs approval',
    covers('MCP inspector: tools', 'MCP inspector: approval yes', 'MCP inspector: approval no'),
    async () => {
      await using served = await openMcpAgents({ script: looking })
      const ends = await Promise.all([
        inspect(served.url, '--method', 'tools/list', '--strict').ended,
        inspect(served.url, ...call, 'guide', '--tool-arg', 'input=Weather?').ended,
        inspect(served.url, ...call, 'pay', '--tool-arg', 'sum=3').ended,
        inspect(served.url, ...call, 'pay', '--tool-arg', 'sum=7').ended,
      ])
      expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 5])
      const [listed, answered, paid, refused] = ends.map(({ stdout }) => stdout)
      expect(JSON.parse(listed ?? '')).toMatchObject({ result: { tools: [{ name: 'guide' }, { name: 'pay' }] } })
      expect(answered).toContain('"text":"Sunny."')
      expect(paid).toContain('"text":"paid"')
      expect(refused).toContain('the user refused')
    },
  )

  it('an interrupted call of the MCP inspector cancels the run', covers('MCP inspector: stop'), async () => {
    const started = Promise.withResolvers<void>()
    const tool = defineTool({
      name: 'wait',
      description: 'Waits.',
      input: anything,
      execute: (_, { signal }) =>
        new Promise<string>(resolve => {
          signal.addEventListener('abort', () => resolve('stopped'))
          started.resolve()
        }),
    })
    await using served = await openMcpAgents({ script: [{ toolCalls: [{ name: 'wait' }] }], agent: { tools: [tool] } })
    const modern = ['--protocol-era', 'modern']
    const inspection = inspect(served.url, ...call, 'guide', '--tool-arg', 'input=Go.', ...modern)
    await started.promise
    inspection.interrupt()
    expect((await inspection.ended).stdout).toBe('')
    const cancelled = () => served.store.runs({ scope, status: 'cancelled' })
    await vi.waitFor(async () => expect(await cancelled()).toHaveLength(1), 30_000)
  })

  it(
    'a load of failing calls of the MCP inspector begins each run once, and each effect happens once',
    covers('MCP inspector: failure', 'MCP inspector: retry storm'),
    async () => {
      const { ledger, ...options } = booking()
      await using served = await openMcpAgents(options)
      const load = ['--load', '--load-requests', '50', '--load-concurrency', '10']
      const [one, many] = await Promise.all([
        inspect(served.url, ...call, 'guide', '--tool-arg', 'input=Go.').ended,
        inspect(served.url, ...call, 'guide', '--tool-arg', 'input=Go.', ...load).ended,
      ])
      expect(one).toMatchObject({ code: 5, stdout: expect.stringMatching(/"isError":true/) as string })
      expect(one.stdout).toContain('overloaded')
      expect(JSON.parse(many.stdout)).toMatchObject({ result: { requests: 50, toolErrors: 50, errors: 0 } })
      const runs = await served.store.runs({ scope, limit: 1_000 })
      expect([runs.length, ledger.length, new Set(ledger).size]).toEqual([51, 51, 51])
    },
  )
})
