import {
  defineMiddleware,
  defineTool,
  ParleyError,
  toolAsk,
  toolError,
  toolPending,
  type ClientTool,
  type Entry,
  type Json,
  type Store,
  type Tool,
} from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type Agent, type RunResult } from '../../index.ts'
import { isValidTranscript } from '../../journal.ts'

const LOOK = { toolCalls: [{ name: 'look', input: { at: 'door' } }] }
const look = defineTool({
  name: 'look',
  description: 'Looks through the camera of the user.',
  input: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
})
const anything = { type: 'object' } as const

interface Setup {
  readonly script?: Script
  readonly tools?: readonly Tool[]
  readonly agent?: Partial<Agent>
  readonly agents?: readonly Agent[]
}

function setup({ script = [LOOK, 'It is open.'], tools = [look], agent = {}, agents = [] }: Setup = {}) {
  const clock = fakeClock()
  const store = createMemoryStore()
  const model = scriptedModel(script)
  const all = [defineAgent({ name: 'a', model, tools, ...agent }), ...agents]
  const runtimeOn = (shared: Store | undefined = store) => createRuntime({ agents: all, clock, store: shared })
  return { clock, store, model, runtime: runtimeOn(), runtimeOn }
}

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'nothing was thrown',
    (error: unknown) => (ParleyError.is(error) ? error.info : error),
  )
}

const typesOf = (entries: readonly Entry[]): string[] => entries.map(({ type }) => type)

function callsOf(result: RunResult) {
  return result.status === 'suspended' ? result.clientCalls : []
}

describe('a tool that the client executes', () => {
  it('a tool without a handler suspends the run and shows the validated call', async () => {
    const { runtime, store } = setup()
    const result = await runtime.run('a', 'Look.').result
    expect(result).toMatchObject({ status: 'suspended', reason: 'client-tools', approvals: [] })
    expect(callsOf(result)).toMatchObject([{ callId: 'call_1', name: 'look', input: { at: 'door' } }])
    const entries = await store.read(result.runId)
    expect(typesOf(entries).slice(-3)).toEqual(['tool.started', 'tool.requested', 'run.suspended'])
  })

  it.each<[string, Json, string]>([
    ['a text', 'The door is open.', 'The door is open.'],
    ['data', { open: true }, '{"open":true}'],
  ])('the model receives %s that the client submits, and the run completes', async (_, value, told) => {
    const { runtime, model } = setup()
    const { runId } = await runtime.run('a', 'Look.').result
    const run = await runtime.submitToolResult(runId, 'call_1', value)
    expect(await run.result).toMatchObject({ status: 'completed', text: 'It is open.' })
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'tool',
      callId: 'call_1',
      content: [{ type: 'text', text: told }],
      structured: value,
    })
  })

  it('another process may receive the result', async () => {
    const { runtime, runtimeOn } = setup()
    const { runId } = await runtime.run('a', 'Look.').result
    const run = await runtimeOn().submitToolResult(runId, 'call_1', 'open')
    expect((await run.result).status).toBe('completed')
  })

  it('readers see at once and in the journal which calls the client executes', async () => {
    const both = {
      toolCalls: [
        { name: 'look', input: { at: 'door' } },
        { name: 'count', input: {} },
      ],
    }
    const count = defineTool({ name: 'count', description: 'Counts.', input: anything, execute: () => 1 })
    const { runtime, store } = setup({ script: [both], tools: [look, count] })
    const run = runtime.run('a', 'Go.')
    const started: unknown[] = []
    for await (const event of run) if (event.type === 'tool-call.start') started.push(event.execution)
    expect(started).toEqual(['client', undefined])
    const answer = (await store.read(run.runId)).find(
      entry => entry.type === 'message.appended' && entry.message.role === 'assistant',
    )
    expect(answer).toMatchObject({ message: { content: [{ name: 'look', execution: 'client' }, { name: 'count' }] } })
  })

  it('a failure that the client reports becomes an error result', async () => {
    const { runtime, model } = setup()
    const { runId } = await runtime.run('a', 'Look.').result
    await (
      await runtime.submitToolResult(runId, 'call_1', toolError('The user denied the camera.'))
    ).result
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      isError: true,
      content: [{ text: 'The user denied the camera.' }],
    })
  })

  it('a result that does not match the output schema becomes an error result', async () => {
    const output = { type: 'object', properties: { open: { type: 'boolean' } }, required: ['open'] } as const
    const { runtime, store } = setup({
      tools: [defineTool({ name: 'look', description: 'Looks.', input: anything, output })],
    })
    const { runId } = await runtime.run('a', 'Look.').result
    await (
      await runtime.submitToolResult(runId, 'call_1', { open: 'yes' })
    ).result
    const ended = (await store.read(runId)).find(entry => entry.type === 'tool.ended')
    expect(ended).toMatchObject({ error: { code: 'tool-output-invalid', tool: 'look' } })
  })

  it('the client never sees a call whose arguments do not match the input schema', async () => {
    const wrong = { toolCalls: [{ name: 'look', input: { at: 5 } }] }
    const { runtime } = setup({ script: [wrong, 'Sorry.'] })
    expect(await runtime.run('a', 'Look.').result).toMatchObject({ status: 'completed', text: 'Sorry.' })
  })

  it('a second result is refused, and the first one counts', async () => {
    const { runtime, model } = setup()
    const { runId } = await runtime.run('a', 'Look.').result
    const run = await runtime.submitToolResult(runId, 'call_1', 'first')
    const settled = { code: 'client-call-settled', runId, callId: 'call_1' }
    expect(await failureOf(runtime.submitToolResult(runId, 'call_1', 'second'))).toEqual(settled)
    await run.result
    expect(await failureOf(runtime.submitToolResult(runId, 'call_1', 'third'))).toEqual(settled)
    expect(JSON.stringify(model.requests.at(-1))).toContain('first')
  })

  it('of two clients that submit concurrently, one is refused', async () => {
    const { runtime, runtimeOn, store } = setup()
    const { runId } = await runtime.run('a', 'Look.').result
    const both = [runtime, runtimeOn()].map(each => each.submitToolResult(runId, 'call_1', 'open'))
    const outcomes = await Promise.allSettled(both)
    for (const each of outcomes) if (each.status === 'fulfilled') await each.value.result
    const submitted = (await store.read(runId)).filter(({ type }) => type === 'tool.submitted')
    expect(submitted).toHaveLength(1)
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  })

  it('a result for an unknown call, run or scope is refused', async () => {
    const { runtime } = setup()
    const { runId } = await runtime.run('a', 'Look.').result
    expect(await failureOf(runtime.submitToolResult(runId, 'c9', 'x'))).toMatchObject({ code: 'client-call-unknown' })
    expect(await failureOf(runtime.submitToolResult('r9', 'call_1', 'x'))).toMatchObject({ code: 'run-unknown' })
    const foreign = runtime.submitToolResult(runId, 'call_1', 'x', { scope: 'other' })
    expect(await failureOf(foreign)).toMatchObject({ code: 'run-unknown' })
  })

  it('the tools of this process run while a call waits for the client', async () => {
    let counted = 0
    const count = defineTool({ name: 'count', description: 'Counts.', input: anything, execute: () => ++counted })
    const both = { toolCalls: [...LOOK.toolCalls, { name: 'count', input: {} }] }
    const { runtime } = setup({ script: [both, 'Done.'], tools: [look, count] })
    const result = await runtime.run('a', 'Go.').result
    expect(callsOf(result)).toHaveLength(1)
    expect(counted).toBe(1)
    const ended = await (await runtime.submitToolResult(result.runId, 'call_1', 'open')).result
    expect(ended.status).toBe('completed')
    expect(isValidTranscript(ended.messages)).toBe(true)
    expect(counted).toBe(1)
  })

  it('two calls of one answer wait together, and each result is taken on its own', async () => {
    const twice = { toolCalls: [...LOOK.toolCalls, { name: 'look', input: { at: 'window' } }] }
    const { runtime } = setup({ script: [twice, 'Done.'] })
    const first = await runtime.run('a', 'Go.').result
    expect(callsOf(first).map(({ callId }) => callId)).toEqual(['call_1', 'call_2'])
    const second = await (await runtime.submitToolResult(first.runId, 'call_2', 'shut')).result
    expect(callsOf(second).map(({ callId }) => callId)).toEqual(['call_1'])
    expect((await (await runtime.submitToolResult(first.runId, 'call_1', 'open')).result).status).toBe('completed')
  })

  it('a call whose time has passed ends as timed out, and a late result is refused', async () => {
    const { runtime, store, clock } = setup({ agent: { toolTimeoutMs: 5_000 } })
    const { runId } = await runtime.run('a', 'Look.').result
    await clock.advance(5_000)
    await expect.poll(async () => (await store.run(runId))?.status).toBe('completed')
    const ended = (await store.read(runId)).find(entry => entry.type === 'tool.ended')
    expect(ended).toMatchObject({ error: { code: 'tool-timeout', tool: 'look', ms: 5_000 } })
    expect(await failureOf(runtime.submitToolResult(runId, 'call_1', 'x'))).toMatchObject({
      code: 'client-call-settled',
    })
  })

  it('a cancelled run ends the call that waits for the client', async () => {
    const { runtime } = setup()
    const { runId } = await runtime.run('a', 'Look.').result
    const result = await (await runtime.cancel(runId)).result
    expect(result.status).toBe('cancelled')
    expect(isValidTranscript(result.messages)).toBe(true)
    expect(await failureOf(runtime.submitToolResult(runId, 'call_1', 'x'))).toMatchObject({
      code: 'client-call-settled',
    })
  })

  it('a call that needs approval waits for the approver first, and then for the client', async () => {
    const { runtime } = setup({ tools: [{ ...look, permission: 'ask' }] })
    const asked = await runtime.run('a', 'Look.').result
    if (asked.status !== 'suspended') throw new Error(asked.status)
    expect(asked.clientCalls).toEqual([])
    const [request] = asked.approvals
    const early = runtime.decide(asked.runId, request?.approvalId ?? '', { decision: { type: 'result', content: [] } })
    expect(await failureOf(early)).toMatchObject({ code: 'request-invalid', path: 'decision' })
    const approve = { decision: { type: 'approved' } } as const
    const waiting = await (await runtime.decide(asked.runId, request?.approvalId ?? '', approve)).result
    const [call] = callsOf(waiting)
    expect(await failureOf(runtime.decide(asked.runId, call?.requestId ?? '', approve))).toMatchObject({
      code: 'request-invalid',
      path: 'decision',
    })
    expect((await (await runtime.submitToolResult(asked.runId, 'call_1', 'open')).result).status).toBe('completed')
  })

  it('an approval handler is not asked about a call that waits for the client', async () => {
    const questions: string[] = []
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      input: anything,
      execute: (_, { approved }) => (approved ? 'ok' : toolAsk('May I?')),
    })
    const both = { toolCalls: [...LOOK.toolCalls, { name: 'ask', input: {} }] }
    const { runtime } = setup({
      script: [both, 'Done.'],
      tools: [look, ask],
      agent: {
        onApproval: ({ name }) => {
          questions.push(name)
          return { type: 'approved' }
        },
      },
    })
    const result = await runtime.run('a', 'Go.').result
    expect(questions).toEqual(['ask'])
    expect(callsOf(result)).toHaveLength(1)
  })

  it('a call of a child run suspends its parent run, and the result reaches it by either run id', async () => {
    for (const idOf of [(parent: string) => parent, (_: string, child: string) => child]) {
      const child = defineAgent({ name: 'child', model: scriptedModel([LOOK, 'The door is open.']), tools: [look] })
      const script = [{ toolCalls: [{ name: 'child', input: { task: 'Look.' } }] }, 'Done.']
      const { runtime, runtimeOn } = setup({ script, tools: [agentTool(child)], agents: [child] })
      const result = await runtime.run('a', 'Go.').result
      const [call] = callsOf(result)
      expect(call).toMatchObject({ callId: 'call_1', name: 'look', runId: expect.any(String) as string })
      const run = await runtimeOn().submitToolResult(idOf(result.runId, call?.runId ?? ''), 'call_1', 'open')
      expect(await run.result).toMatchObject({ status: 'completed', text: 'Done.', runId: result.runId })
    }
  })

  it('a handler that returns toolPending is not called again for its result', async () => {
    let started = 0
    const later = defineTool({
      name: 'look',
      description: 'Orders a report.',
      input: anything,
      execute: () => {
        started += 1
        return toolPending()
      },
    })
    const { runtime } = setup({ tools: [later] })
    const { runId } = await runtime.run('a', 'Go.').result
    await (
      await runtime.submitToolResult(runId, 'call_1', 'report')
    ).result
    expect(started).toBe(1)
  })

  it('middleware sees the pending call, and then the result', async () => {
    const seen: string[] = []
    const watch = defineMiddleware('watch', () => ({
      tool: async (call, next) => {
        const outcome = await next(call)
        seen.push(outcome.type)
        return outcome
      },
    }))
    const { runtime } = setup({ agent: { middleware: [watch] } })
    const { runId } = await runtime.run('a', 'Go.').result
    await (
      await runtime.submitToolResult(runId, 'call_1', 'open')
    ).result
    expect(seen).toEqual(['pending', 'ok'])
  })

  it('without a store the call is denied, because the run cannot wait', async () => {
    const { model } = setup()
    const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model, tools: [look] })] })
    expect((await runtime.run('a', 'Go.').result).status).toBe('completed')
    expect(JSON.stringify(model.requests.at(-1))).toContain('there is no store to suspend the run in')
  })

  it('a fork at the pending call starts from a valid transcript', async () => {
    const { runtime } = setup({ script: [LOOK, 'It is open.', 'Forked.'] })
    const { runId } = await runtime.run('a', 'Look.').result
    await (
      await runtime.cancel(runId)
    ).result
    const fork = await runtime.fork(runId, { at: 6, input: 'Never mind.' })
    const result = await fork.result
    expect(result.status).toBe('completed')
    expect(isValidTranscript(result.messages)).toBe(true)
  })
})

describe('tools that arrive with a run', () => {
  const camera: ClientTool = { name: 'camera', description: 'Takes a picture.', inputSchema: { type: 'object' } }
  const script = [{ toolCalls: [{ name: 'camera', input: {} }] }, 'Nice.']
  const accepting = { agent: { clientTools: 'accept' } } as const

  it('the model is offered the tools of the run, and the client executes their calls', async () => {
    const { runtime, runtimeOn, model } = setup({ script, ...accepting })
    const result = await runtime.run('a', 'Go.', { clientTools: [camera] }).result
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look', 'camera'])
    expect(callsOf(result)).toMatchObject([{ callId: 'call_1', name: 'camera' }])
    // The journal keeps the tools: another process knows them.
    const run = await runtimeOn().submitToolResult(result.runId, 'call_1', 'a picture')
    expect((await run.result).status).toBe('completed')
    expect(model.requests[1]?.tools?.map(({ name }) => name)).toEqual(['look', 'camera'])
  })

  it('an agent refuses them unless it accepts them', () => {
    const { runtime } = setup({ script })
    expect(() => runtime.run('a', 'Go.', { clientTools: [camera] })).toThrow(
      "agent 'a' does not accept tools of clients",
    )
  })

  it('a run may accept them for an agent that does not say so, but not for one that refuses', async () => {
    const options = { clientTools: [camera], acceptClientTools: true }
    const { runtime, runtimeOn } = setup({ script })
    const { runId, status } = await runtime.run('a', 'Go.', options).result
    expect(status).toBe('suspended')
    const run = await runtimeOn().submitToolResult(runId, 'call_1', 'a picture')
    expect((await run.result).status).toBe('completed')
    const refusing = setup({ script, agent: { clientTools: 'refuse' } })
    expect(() => refusing.runtime.run('a', 'Go.', options)).toThrow('does not accept tools of clients')
  })

  it.each<[string, readonly unknown[], string]>([
    ['the name of a tool of the agent', [{ ...camera, name: 'look' }], 'clientTools.0.name'],
    ['the same name twice', [camera, camera], 'clientTools.1.name'],
    ['an invalid name', [{ ...camera, name: 'a b' }], 'clientTools.0'],
    ['no description', [{ name: 'x', inputSchema: {} }], 'clientTools.0.description'],
    ['a schema that is no object', [{ ...camera, inputSchema: { type: 'string' } }], 'clientTools.0'],
    ['129 tools', Array.from({ length: 129 }, (_, index) => ({ ...camera, name: `t${index}` })), 'clientTools'],
    ['more than 256,000 characters', [{ ...camera, description: 'x'.repeat(256_000) }], 'clientTools'],
  ])('tools with %s are refused with request-invalid', (_, clientTools, path) => {
    const { runtime } = setup({ script, ...accepting })
    let thrown: unknown
    try {
      runtime.run('a', 'Go.', { clientTools: clientTools as ClientTool[] })
    } catch (error) {
      thrown = error
    }
    expect(ParleyError.is(thrown, 'request-invalid') && thrown.info).toMatchObject({ path })
  })

  it('a tool with the name of a tool of a source fails the run', async () => {
    const source = {
      name: 's',
      tools: async () => [{ ...look, name: 'camera' }],
      [Symbol.asyncDispose]: async () => {},
    }
    const { runtime } = setup({ script, agent: { clientTools: 'accept', tools: [source] } })
    const result = await runtime.run('a', 'Go.', { clientTools: [camera] }).result
    expect(result).toMatchObject({ status: 'failed', error: { code: 'request-invalid', path: 'clientTools.0.name' } })
  })

  it('an agent that does not accept them is not offered them after a handoff', async () => {
    const other = scriptedModel(['Hello.'])
    const b = defineAgent({ name: 'b', model: other })
    const handoff = [{ toolCalls: [{ name: 'transfer_to_b', input: {} }] }]
    const { runtime } = setup({ script: handoff, agent: { clientTools: 'accept', handoffs: [b] } })
    await runtime.run('a', 'Go.', { clientTools: [camera] }).result
    expect(other.requests[0]?.tools ?? []).toEqual([])
  })
})
