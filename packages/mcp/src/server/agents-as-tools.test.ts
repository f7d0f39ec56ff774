import { fileURLToPath } from 'node:url'
import { defineTool, ParleyError, type InputFilter } from '@parley/core'
import { createRuntime, defineAgent, type Agent, type Runtime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentsAsTools } from './agents-as-tools.ts'
import { createMcpServer } from './create-mcp-server.ts'
import type { McpCallResult, McpProgress } from '../tools/mcp-tool-host.ts'
import type { McpServer } from '../client/mcp-server.ts'
import { openMcpServer } from '../client/open-mcp-server.ts'

interface Scene extends AsyncDisposable {
  readonly client: McpServer
  readonly runtime: Runtime
}

interface SceneOptions {
  readonly protocol?: 'legacy' | 'auto' | undefined
  readonly agents?: readonly Agent[] | undefined
}

/** An agent behind HTTP whose model follows a script. */
async function openScene(script: Script, fields: Partial<Agent> = {}, options: SceneOptions = {}): Promise<Scene> {
  const { protocol = 'auto', agents = [] } = options
  const agent = defineAgent({ name: 'helper', description: 'Helps.', model: scriptedModel(script), ...fields })
  const runtime = createRuntime({ agents: [agent, ...agents], store: createMemoryStore() })
  const server = createMcpServer({ name: 'agents', version: '1', tools: agentsAsTools(runtime) })
  const { url } = await server.listen()
  const client = await openMcpServer({ transport: 'http', name: 'them', url, protocol })
  return {
    client,
    runtime,
    async [Symbol.asyncDispose]() {
      await client.close()
      await server.close()
      await runtime.close()
    },
  }
}

const textOf = ({ content }: McpCallResult): string => content.map(part => String(part['text'])).join('\n')
const ask = (client: McpServer, input: string): Promise<McpCallResult> => client.callTool('helper', { input })

const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'seen' })

describe.each(['legacy', 'auto'] as const)('an agent as a tool, in %s', protocol => {
  it('an agent tool returns the answer and reports the steps as progress', async () => {
    // A client may drop progress that arrives together with the result.
    const script = [{ toolCalls: [{ name: 'look' }] }, { text: 'It is blue.', delayMs: 50 }]
    await using scene = await openScene(script, { tools: [look] }, { protocol })
    const [info] = await scene.client.listTools()
    expect(info).toMatchObject({
      name: 'helper',
      description: 'Helps.',
      inputSchema: { type: 'object', required: ['input'] },
      annotations: { readOnlyHint: false, idempotentHint: false },
    })
    const steps: McpProgress[] = []
    const result = await scene.client.callTool(
      'helper',
      { input: 'What colour?' },
      { onProgress: step => steps.push(step) },
    )
    expect([result.isError, textOf(result)]).toEqual([undefined, 'It is blue.'])
    expect(steps.map(({ progress, message }) => `${progress} ${message}`)).toEqual([
      '1 asks scripted/script (turn 1)',
      '2 calls look',
      '3 look answered',
      '4 asks scripted/script (turn 2)',
    ])
    expect(await scene.runtime.runs()).toMatchObject([{ agent: 'helper', status: 'completed' }])
  })

  it('an agent tool with an output schema returns structured content', async () => {
    const output = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] } as const
    await using scene = await openScene(['{"colour":"blue"}'], { output }, { protocol })
    expect((await scene.client.listTools())[0]?.outputSchema).toMatchObject({ required: ['colour'] })
    const result = await ask(scene.client, 'What colour?')
    expect(result.structuredContent).toEqual({ colour: 'blue' })
    expect(textOf(result)).toBe('{"colour":"blue"}')
  })

  it('cancelling the call cancels the run', async () => {
    await using scene = await openScene([{ text: 'Well', hang: true }], {}, { protocol })
    const stop = new AbortController()
    const reason = new Error('no longer wanted')
    const call = scene.client.callTool('helper', { input: 'x' }, { signal: stop.signal })
    const statuses = async (): Promise<string[]> => (await scene.runtime.runs()).map(({ status }) => status)
    await expect.poll(statuses).toEqual(['running'])
    stop.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect.poll(statuses).toEqual(['cancelled'])
  })
})

const BROKEN = { code: 'model-not-found', provider: 'scripted', detail: 'no such model' } as const
const polite: InputFilter = { name: 'polite', check: () => ({ type: 'reject', reason: 'Say please.' }) }

describe('an agent that does not come to its end', () => {
  it.each<{ why: string; script: Script; fields: Partial<Agent>; words: RegExp }>([
    {
      why: 'fails',
      script: [{ error: BROKEN }],
      fields: {},
      words: /^The agent 'helper' did not complete its task \(failed\): (?!.*no such model)The model provider/,
    },
    {
      why: 'reaches a limit',
      script: [{ toolCalls: [{ name: 'look' }] }],
      fields: { tools: [look], limits: { maxTurns: 1 } },
      words: /limit of 1 turns/,
    },
    { why: 'is rejected by an input filter', script: ['x'], fields: { inputFilters: [polite] }, words: /Say please/ },
    {
      why: 'is suspended for approval',
      script: [{ toolCalls: [{ name: 'look' }] }],
      fields: { tools: [{ ...look, permission: 'ask' }] },
      words: /is suspended for approval, in run [0-9a-f-]{36}/,
    },
    {
      why: 'waits for a result of its client',
      script: [{ toolCalls: [{ name: 'photo' }] }],
      fields: { tools: [defineTool({ name: 'photo', description: 'Takes one.', input: { type: 'object' } })] },
      words: /waits in run [0-9a-f-]{36} for results of its client: photo/,
    },
  ])('an agent tool fails when the run $why', async ({ script, fields, words }) => {
    await using scene = await openScene(script, fields)
    const result = await ask(scene.client, 'go')
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(words) as string])
  })

  it('an agent tool rejects missing input with a readable error', async () => {
    await using scene = await openScene(['x'])
    expect(textOf(await ask(scene.client, ''))).toMatch(/arguments of 'helper' do not fit/)
    expect(textOf(await scene.client.callTool('helper', {}))).toMatch(/arguments of 'helper' do not fit/)
  })

  it('an agent tool whose run lost its store tells the client nothing about the store', async () => {
    const fault = new ParleyError({ code: 'store-unavailable', store: 'sqlite', detail: 'sk-secret at /home/owner' })
    const store = { ...createMemoryStore(), append: () => Promise.reject(fault) }
    const agents = [defineAgent({ name: 'helper', description: 'Helps.', model: scriptedModel(['x']) })]
    await using runtime = createRuntime({ agents, store })
    await using server = createMcpServer({ name: 'agents', version: '1', tools: agentsAsTools(runtime) })
    const { url } = await server.listen()
    await using client = await openMcpServer({ transport: 'http', name: 'them', url })
    expect(textOf(await ask(client, 'go'))).toMatch(/^Run .* was released: The store of the agent cannot be used\.$/)
  })

  it('an agent tool fails when its runtime is closed', async () => {
    await using scene = await openScene(['x'])
    await scene.runtime.close()
    expect((await ask(scene.client, 'go')).isError).toBe(true)
  })
})

describe('the agents that are offered', () => {
  const agents = ['a b', 'a_b', 'c'].map(name => defineAgent({ name, model: scriptedModel([]) }))

  it('agentsAsTools offers all agents or those that are named', () => {
    const runtime = createRuntime({ agents: agents.slice(1) })
    const names = (only?: readonly string[]): string[] =>
      agentsAsTools(runtime, { agents: only }).map(({ name }) => name)
    expect([names(), names(['c'])]).toEqual([['a_b', 'c'], ['c']])
    expect(() => names(['d'])).toThrow("There is no agent named 'd'")
  })

  it('agentsAsTools rejects two agents with the same tool name', () => {
    expect(() => agentsAsTools(createRuntime({ agents }))).toThrow("agents: two agents would become the tool 'a_b'")
  })

  it('agents can be served over stdio', async () => {
    const path = fileURLToPath(new URL('../__fixtures__/agent-server.ts', import.meta.url))
    const args = ['--conditions=@parley/source', path]
    await using client = await openMcpServer({ transport: 'stdio', name: 'them', command: process.execPath, args })
    const [tool] = await client.listTools()
    expect([tool?.name, tool?.description]).toEqual(['greeter', 'Greets.'])
    expect(textOf(await client.callTool('greeter', { input: 'Hi.' }))).toBe('Hello.')
    expect(await client.close()).toMatchObject({ outcome: 'exited', exitCode: 0 })
  })
})
