import { defineTool, ParleyError, toolAsk, toolPending, type Json, type Store } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent } from '../../index.ts'

const anything = { type: 'object' } as const
const ask = { toolCalls: [{ name: 'look', callId: 'same', input: {} }] }

function setup(store: Store = createMemoryStore()) {
  const clock = fakeClock()
  const look = defineTool({ name: 'look', description: 'Looks.', input: anything, timeoutMs: 5_000 })
  const child = defineAgent({ name: 'child', model: scriptedModel([ask, 'Seen.']), tools: [look] })
  const both = { toolCalls: [{ name: 'child', callId: 'c1', input: { task: 'Look.' } }, ...ask.toolCalls] }
  const lead = defineAgent({ name: 'lead', model: scriptedModel([both, 'Done.']), tools: [look, agentTool(child)] })
  return { clock, store, open: () => createRuntime({ agents: [child, lead], clock, store }) }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'accepted',
    (error: unknown) => (ParleyError.is(error) ? error.info.code : String(error)),
  )
}

describe('the call that a result belongs to', () => {
  it('a run takes the result of its own call, even if a child run waits for a call with the same id', async () => {
    const { open } = setup()
    const runtime = open()
    const { runId } = await runtime.run('lead', 'Go.').result
    const { clientCalls } = await runtime.pending(runId)
    expect(clientCalls.map(({ callId }) => callId)).toEqual(['same', 'same'])
    const waiting = await (await runtime.submitToolResult(runId, 'same', 'of the parent')).result
    expect(waiting.status).toBe('suspended')
    const done = await (await runtime.submitToolResult(runId, 'same', 'of the child')).result
    expect(done).toMatchObject({ status: 'completed', text: 'Done.' })
    const results = done.messages.filter(({ role }) => role === 'tool')
    expect(results).toMatchObject([
      { callId: 'c1', content: [{ text: 'Seen.' }] },
      { callId: 'same', content: [{ text: 'of the parent' }] },
    ])
  })

  it('a result after the deadline is refused in a process that did not watch the deadline', async () => {
    const { clock, store, open } = setup()
    const first = open()
    const { runId } = await first.run('child', 'Go.').result
    await first.close()
    await clock.advance(5_000)
    const second = open()
    expect(await codeOf(second.submitToolResult(runId, 'same', 'late'))).toBe('client-call-settled')
    const result = await (await second.resume(runId)).result
    expect(result.status).toBe('completed')
    const ended = (await store.read(runId)).find(({ type }) => type === 'tool.ended')
    expect(ended).toMatchObject({ error: { code: 'tool-timeout' } })
  })

  it('a run that has ended takes no result, whichever call it names', async () => {
    const { open } = setup()
    const runtime = open()
    const { runId } = await runtime.run('child', 'Go.').result
    expect(await codeOf(runtime.submitToolResult(runId, 'other', 'x'))).toBe('client-call-unknown')
    await (
      await runtime.submitToolResult(runId, 'same', 'a cat')
    ).result
    for (const callId of ['same', 'other'])
      expect([callId, await codeOf(runtime.submitToolResult(runId, callId, 'x'))]).toEqual([
        callId,
        'client-call-settled',
      ])
  })

  it('a result that waits or asks again is refused, and the call still waits', async () => {
    const { open } = setup()
    const runtime = open()
    const { runId } = await runtime.run('child', 'Go.').result
    for (const result of [toolPending(), toolAsk('Sure?')])
      expect(await codeOf(runtime.submitToolResult(runId, 'same', result as never))).toBe('request-invalid')
    expect((await runtime.pending(runId)).clientCalls).toHaveLength(1)
  })

  it('a result or a tool of the client that is nested too deeply is refused before the stack overflows', async () => {
    const { open } = setup()
    const runtime = open()
    const { runId } = await runtime.run('child', 'Go.').result
    let deep: Json = 'core'
    for (let level = 0; level < 50_000; level += 1) deep = { deep }
    expect(await codeOf(runtime.submitToolResult(runId, 'same', deep))).toBe('request-invalid')
    const tool = { name: 'camera', description: 'Sees.', inputSchema: { properties: deep } }
    const run = async () => runtime.run('child', 'Go.', { clientTools: [tool], acceptClientTools: true })
    expect(await codeOf(run())).toBe('request-invalid')
  })
})
