import { ParleyError, type ClientTool } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { defineAgent } from '../../index.ts'
import { callsOf, look, setUpClientTools } from './__fixtures__/set-up-client-tools.ts'

describe('tools that arrive with a run', () => {
  const camera: ClientTool = { name: 'camera', description: 'Takes a picture.', inputSchema: { type: 'object' } }
  const script = [{ toolCalls: [{ name: 'camera', input: {} }] }, 'Nice.']
  const accepting = { agent: { clientTools: 'accept' } } as const

  it('the model is offered the tools of the run, and the client executes their calls', async () => {
    const { runtime, runtimeOn, model } = setUpClientTools({ script, ...accepting })
    const result = await runtime.run('a', 'Go.', { clientTools: [camera] }).result
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look', 'camera'])
    expect(callsOf(result)).toMatchObject([{ callId: 'call_1', name: 'camera' }])
    // The journal keeps the tools: another process knows them.
    const run = await runtimeOn().submitToolResult(result.runId, 'call_1', 'a picture')
    expect((await run.result).status).toBe('completed')
    expect(model.requests[1]?.tools?.map(({ name }) => name)).toEqual(['look', 'camera'])
  })

  it('an agent refuses them unless it accepts them', () => {
    const { runtime } = setUpClientTools({ script })
    expect(() => runtime.run('a', 'Go.', { clientTools: [camera] })).toThrow(
      "agent 'a' does not accept tools of clients",
    )
  })

  it('a run may accept them for an agent that does not say so, but not for one that refuses', async () => {
    const options = { clientTools: [camera], acceptClientTools: true }
    const { runtime, runtimeOn } = setUpClientTools({ script })
    const { runId, status } = await runtime.run('a', 'Go.', options).result
    expect(status).toBe('suspended')
    const run = await runtimeOn().submitToolResult(runId, 'call_1', 'a picture')
    expect((await run.result).status).toBe('completed')
    const refusing = setUpClientTools({ script, agent: { clientTools: 'refuse' } })
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
    const { runtime } = setUpClientTools({ script, ...accepting })
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
    const { runtime } = setUpClientTools({ script, agent: { clientTools: 'accept', tools: [source] } })
    const result = await runtime.run('a', 'Go.', { clientTools: [camera] }).result
    expect(result).toMatchObject({ status: 'failed', error: { code: 'request-invalid', path: 'clientTools.0.name' } })
  })

  it('an agent that does not accept them is not offered them after a handoff', async () => {
    const other = scriptedModel(['Hello.'])
    const b = defineAgent({ name: 'b', model: other })
    const handoff = [{ toolCalls: [{ name: 'transfer_to_b', input: {} }] }]
    const { runtime } = setUpClientTools({ script: handoff, agent: { clientTools: 'accept', handoffs: [b] } })
    await runtime.run('a', 'Go.', { clientTools: [camera] }).result
    expect(other.requests[0]?.tools ?? []).toEqual([])
  })
})
