import { defineTool, ParleyError, type ErrorInfo, type Tool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { inspect } from 'node:util'
import { createRuntime, defineAgent, RunFailedError, type Agent, type RuntimeOptions } from '../index.ts'

const missing: ErrorInfo = {
  code: 'model-not-found',
  provider: 'openai',
  model: 'gpt-6',
  status: 404,
  detail: 'The model `gpt-6` does not exist',
}

function setup(steps: readonly ScriptStep[], agent: Partial<Agent> = {}, options: RuntimeOptions = {}) {
  const store = createMemoryStore()
  const defined = defineAgent({ name: 'helper', model: scriptedModel(steps), ...agent })
  return createRuntime({ store, agents: [defined], ...options })
}

async function failureOf(promise: Promise<unknown>): Promise<RunFailedError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (!(error instanceof RunFailedError)) throw new Error('the promise did not reject with a RunFailedError')
  return error
}

const tool = (fields: Partial<Tool>) =>
  defineTool({ name: 'pay', description: 'Pays.', input: { type: 'object' }, ...fields } as Tool)

describe('invoke', () => {
  it('invoke resolves to the result of a completed run', async () => {
    expect(await setup(['Hello.']).invoke('helper', 'go')).toMatchObject({ status: 'completed', text: 'Hello.' })
  })

  it('invoke rejects for a wrong model name with the agent, the model, the status and the provider’s sentence', async () => {
    const failure = await failureOf(setup([{ error: missing }]).invoke('helper', 'go', { runId: 'r' }))
    expect(failure.message).toBe(
      "Agent 'helper' did not complete its task (failed): openai/gpt-6 does not know the model or the address. " +
        "Check the model id and the base URL. The model `gpt-6` does not exist (HTTP 404). Its run is 'r'.",
    )
    expect(failure.result).toMatchObject({ status: 'failed', error: missing, partialText: '' })
    expect(failure.info).toMatchObject({ code: 'run-failed', agent: 'helper', runId: 'r', status: 'failed' })
    expect(ParleyError.is(failure, 'run-failed')).toBe(true)
  })

  it('invoke rejects for a run that waits for approval and names the call that decides', async () => {
    const runtime = setup([{ toolCalls: [{ name: 'pay' }] }, 'Paid.'], {
      tools: [tool({ permission: 'ask', execute: () => 'ok' })],
    })
    const { message, result } = await failureOf(runtime.invoke('helper', 'go', { runId: 'r' }))
    const [request] = result.status === 'suspended' ? result.approvals : []
    expect(message).toContain(`(suspended): It waits for approval of 'pay': runtime.decide(`)
    expect(message).toContain(`'${request?.approvalId}'`)
    const run = await runtime.decide(request?.approvalId ?? '', { decision: { type: 'approved' } })
    expect((await run.orThrow()).text).toBe('Paid.')
  })

  it('invoke rejects for a run that waits for the client and names the call that submits', async () => {
    const runtime = setup([{ toolCalls: [{ name: 'pay' }] }], { tools: [tool({})] })
    const { message } = await failureOf(runtime.invoke('helper', 'go', { runId: 'r' }))
    expect(message).toContain(
      "It waits for the result of 'pay' from the client: runtime.submitToolResult('r', 'call_1', result) continues it.",
    )
  })

  it('invoke rejects for a run that its closing runtime released and names the call that resumes', async () => {
    const runtime = setup([{ hang: true }], {}, { onClose: 'suspend' })
    const failing = failureOf(runtime.invoke('helper', 'go', { runId: 'r' }))
    await runtime.close({ drainMs: 0 })
    expect((await failing).message).toContain(
      "(suspended): It was suspended when its runtime closed: runtime.resume('r')",
    )
  })

  it('invoke rejects for a cancelled run with the reason', async () => {
    const stop = new AbortController()
    const failing = failureOf(setup([{ hang: true }]).invoke('helper', 'go', { signal: stop.signal }))
    stop.abort()
    expect((await failing).message).toContain('(cancelled): Cancelled (user')
  })

  it('invoke rejects for a run at its limit and names the option to raise', async () => {
    const runtime = setup([{ toolCalls: [{ name: 'pay' }] }], {
      tools: [tool({ execute: () => 'ok' })],
      limits: { maxTurns: 1 },
    })
    const { message } = await failureOf(runtime.invoke('helper', 'go'))
    expect(message).toContain('(limit): [Agent stopped: Max turns reached (1/1)] Raise')
  })

  it('invoke rejects for a rejected input with the filter and its reason', async () => {
    const inputFilters = [{ name: 'manners', check: () => ({ type: 'reject' as const, reason: 'Say please.' }) }]
    const { message } = await failureOf(setup([], { inputFilters }).invoke('helper', 'go'))
    expect(message).toContain("(rejected): The input filter 'manners' rejected the message: Say please.")
  })

  it('invoke names the agent of a run that could not begin', async () => {
    const runtime = setup([{ hang: true }])
    const first = runtime.run('helper', 'go', { sessionId: 's' })
    for await (const event of first) if (event.type === 'run.started') break
    expect((await failureOf(runtime.invoke('helper', 'go', { sessionId: 's' }))).message).toMatch(
      /^Agent 'helper' did not complete its task \(failed\): Session 's' /,
    )
    await first.cancel()
  })
})

describe('a RunFailedError', () => {
  it('a RunFailedError that is printed shows its name and message but not the transcript', async () => {
    const failure = await failureOf(setup([{ error: missing }]).invoke('helper', 'my question'))
    expect(inspect(failure)).toContain('RunFailedError')
    expect(inspect(failure, { depth: 10 })).not.toContain('my question')
    expect(JSON.parse(JSON.stringify(failure))).toMatchObject({ code: 'run-failed', status: 'failed' })
  })

  it('run.result stays data for every status', async () => {
    expect(await setup([{ error: missing }]).run('helper', 'go').result).toMatchObject({ status: 'failed' })
  })
})
