import {
  defineMiddleware,
  defineTool,
  ParleyError,
  toolAsk,
  toolError,
  toolPending,
  type Entry,
  type Json,
} from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent } from '../../index.ts'
import { isValidTranscript } from '../../journal.ts'
import { callsOf, LOOK, look, setUpClientTools } from './__fixtures__/set-up-client-tools.ts'

const anything = { type: 'object' } as const

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'nothing was thrown',
    (error: unknown) => (ParleyError.is(error) ? error.info : error),
  )
}

const typesOf = (entries: readonly Entry[]): string[] => entries.map(({ type }) => type)

describe('a tool that the client executes', () => {
  it('a tool without a handler suspends the run and shows the validated call', async () => {
    const { runtime, store } = setUpClientTools()
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
    const { runtime, model } = setUpClientTools()
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
    const { runtime, runtimeOn } = setUpClientTools()
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
    const { runtime, store } = setUpClientTools({ script: [both], tools: [look, count] })
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
    const { runtime, model } = setUpClientTools()
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
    const { runtime, store } = setUpClientTools({
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
    const { runtime } = setUpClientTools({ script: [wrong, 'Sorry.'] })
    expect(await runtime.run('a', 'Look.').result).toMatchObject({ status: 'completed', text: 'Sorry.' })
  })

  it('a second result is refused, and the first one counts', async () => {
    const { runtime, model } = setUpClientTools()
    const { runId } = await runtime.run('a', 'Look.').result
    const run = await runtime.submitToolResult(runId, 'call_1', 'first')
    const settled = { code: 'client-call-settled', runId, callId: 'call_1' }
    expect(await failureOf(runtime.submitToolResult(runId, 'call_1', 'second'))).toEqual(settled)
    await run.result
    expect(await failureOf(runtime.submitToolResult(runId, 'call_1', 'third'))).toEqual(settled)
    expect(JSON.stringify(model.requests.at(-1))).toContain('first')
  })

  it('of two clients that submit concurrently, one is refused', async () => {
    const { runtime, runtimeOn, store } = setUpClientTools()
    const { runId } = await runtime.run('a', 'Look.').result
    const both = [runtime, runtimeOn()].map(each => each.submitToolResult(runId, 'call_1', 'open'))
    const outcomes = await Promise.allSettled(both)
    for (const each of outcomes) if (each.status === 'fulfilled') await each.value.result
    const submitted = (await store.read(runId)).filter(({ type }) => type === 'tool.submitted')
    expect(submitted).toHaveLength(1)
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  })

  it('a result for an unknown call, run or scope is refused', async () => {
    const { runtime } = setUpClientTools()
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
    const { runtime } = setUpClientTools({ script: [both, 'Done.'], tools: [look, count] })
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
    const { runtime } = setUpClientTools({ script: [twice, 'Done.'] })
    const first = await runtime.run('a', 'Go.').result
    expect(callsOf(first).map(({ callId }) => callId)).toEqual(['call_1', 'call_2'])
    const second = await (await runtime.submitToolResult(first.runId, 'call_2', 'shut')).result
    expect(callsOf(second).map(({ callId }) => callId)).toEqual(['call_1'])
    expect((await (await runtime.submitToolResult(first.runId, 'call_1', 'open')).result).status).toBe('completed')
  })

  it('a call whose time has passed ends as timed out, and a late result is refused', async () => {
    const { runtime, store, clock } = setUpClientTools({ agent: { toolTimeoutMs: 5_000 } })
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
    const { runtime } = setUpClientTools()
    const { runId } = await runtime.run('a', 'Look.').result
    const result = await (await runtime.cancel(runId)).result
    expect(result.status).toBe('cancelled')
    expect(isValidTranscript(result.messages)).toBe(true)
    expect(await failureOf(runtime.submitToolResult(runId, 'call_1', 'x'))).toMatchObject({
      code: 'client-call-settled',
    })
  })

  it('a call that needs approval waits for the approver first, and then for the client', async () => {
    const { runtime } = setUpClientTools({ tools: [{ ...look, permission: 'ask' }] })
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
    const { runtime } = setUpClientTools({
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
      const { runtime, runtimeOn } = setUpClientTools({ script, tools: [agentTool(child)], agents: [child] })
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
    const { runtime } = setUpClientTools({ tools: [later] })
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
    const { runtime } = setUpClientTools({ agent: { middleware: [watch] } })
    const { runId } = await runtime.run('a', 'Go.').result
    await (
      await runtime.submitToolResult(runId, 'call_1', 'open')
    ).result
    expect(seen).toEqual(['pending', 'ok'])
  })

  it('without a store the call is denied, because the run cannot wait', async () => {
    const { model } = setUpClientTools()
    const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model, tools: [look] })] })
    expect((await runtime.run('a', 'Go.').result).status).toBe('completed')
    expect(JSON.stringify(model.requests.at(-1))).toContain('there is no store to suspend the run in')
  })

  it('a fork at the pending call starts from a valid transcript', async () => {
    const { runtime } = setUpClientTools({ script: [LOOK, 'It is open.', 'Forked.'] })
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
