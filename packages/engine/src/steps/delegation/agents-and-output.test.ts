import { defineTool, messageText, toolOk } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent } from '../../index.ts'

const city = z.object({ name: z.string() })
const answer = { toolCalls: [{ name: 'final_answer', input: { name: 'Paris' } }] }

describe('a sub-agent with an output schema', () => {
  const geographer = () => defineAgent({ name: 'geographer', model: scriptedModel([answer]), output: city })

  it('a child run with an output schema returns its value to the parent run’s model and to a delegating handler', async () => {
    const seen: unknown[] = []
    const ask = defineTool({
      name: 'ask',
      description: 'd',
      input: { type: 'object' },
      async execute(_, { delegate }) {
        const result = await delegate?.({ agent: geographer(), input: 'go' })
        seen.push(result?.status === 'completed' && result.output)
        return toolOk('asked')
      },
    })
    const model = scriptedModel([
      { toolCalls: [{ name: 'geographer', input: { task: 'The capital?' } }, { name: 'ask' }] },
      'Done.',
    ])
    const store = createMemoryStore()
    const boss = defineAgent({ name: 'boss', model, tools: [agentTool(geographer()), ask] })
    const run = createRuntime({ agents: [boss], store }).run('boss', 'go')
    await run.result
    expect(model.requests[1]?.messages.slice(2).map(messageText)).toEqual(['{"name":"Paris"}', 'asked'])
    expect(seen).toEqual([{ name: 'Paris' }])
    const ended = (await store.read(run.runId)).filter(({ type }) => type === 'agent.ended')
    expect(ended).toMatchObject([{ output: { name: 'Paris' } }, { output: { name: 'Paris' } }])
  })
})

describe('a handoff', () => {
  const front = (handoffs: readonly ReturnType<typeof defineAgent>[]) => {
    const model = scriptedModel([{ toolCalls: [{ name: 'transfer_to_back' }] }, 'Then I do it.'])
    return defineAgent({ name: 'front', model, handoffs })
  }

  it('a handoff applies the target’s output schema and renders its instructions with the run’s variables', async () => {
    const model = scriptedModel([answer])
    const instructions = { template: 'I am {{agent_id}}, for {{who}}.', variables: ['who'], required: ['who'] }
    const back = defineAgent({ name: 'back', model, output: city, instructions })
    const first = defineAgent({ ...front([back]), instructions })
    const result = await createRuntime().run(first, 'go', { variables: { who: 'Ada' } }).result
    expect(result).toMatchObject({ status: 'completed', agent: 'back', output: { name: 'Paris' } })
    expect(model.requests[0]?.system[0]).toEqual({ text: 'I am back, for Ada.' })
  })

  it('a handoff to an agent whose instructions lack a variable returns an error to the model', async () => {
    const instructions = { template: '{{who}}', variables: ['who'], required: ['who'] }
    const agent = front([defineAgent({ name: 'back', model: scriptedModel([]), instructions })])
    const result = await createRuntime().run(agent, 'go').result
    expect(result).toMatchObject({ status: 'completed', agent: 'front', text: 'Then I do it.' })
    expect(JSON.stringify(result.messages)).toContain("the instructions of 'back' need who")
  })
})
