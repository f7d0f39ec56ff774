import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { parleyMatchers } from './vitest.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object' },
  effect: 'read',
  execute: () => 'rain',
})
const pack = defineTool({
  name: 'pack',
  description: 'Packs.',
  input: { type: 'object' },
  effect: 'read',
  execute: () => 'done',
})

const pricing = { input: 1000, output: 1000, source: 'test', date: '2026-01-01' }

async function resultOf(isPriced: boolean) {
  const model = scriptedModel(
    [
      { toolCalls: [{ name: 'look', input: { city: 'Bern', days: 2 } }] },
      { toolCalls: [{ name: 'pack', input: { items: ['umbrella'] } }] },
      'It rains.',
    ],
    isPriced ? { info: { pricing } } : {},
  )
  return createRuntime().run(defineAgent({ name: 'forecaster', model, tools: [look, pack] }), 'Rain?').result
}

beforeAll(() => {
  expect.extend(parleyMatchers)
})

describe('the matchers', () => {
  it('the matchers accept what the run did', async () => {
    const run = await resultOf(true)
    expect(run).toHaveCompleted()
    expect(run).toHaveCalledTool('look')
    expect(run).toHaveCalledTool('look', { city: 'Bern' })
    expect(run).not.toHaveCalledTool('look', { city: 'Basel' })
    expect(run).not.toHaveCalledTool('swim')
    expect(run).toHaveCalledToolsInOrder(['look', 'pack'])
    expect(run).not.toHaveCalledToolsInOrder(['pack', 'look'])
    expect(run).toHaveCalledTools(['pack', { name: 'look', input: { days: 2 } }], 'superset')
    expect(run).not.toHaveCalledTools(['pack', 'look'])
    // Three calls with 15 tokens each, at $1,000 per million.
    expect(run).toHaveCostAtMost(0.046)
    expect(run).not.toHaveCostAtMost(0.044)
  })

  it('the matchers say what the run did instead', async () => {
    const run = await resultOf(true)
    expect(() => expect(run).toHaveCalledTool('swim', { fast: true })).toThrow(
      'expected the run to call swim({"fast":true}); called look({"city":"Bern","days":2}), pack({"items":["umbrella"]})',
    )
    expect(() => expect(run).not.toHaveCompleted()).toThrow('expected the run not to complete; its status is completed')
    expect(() => expect(run).toHaveCostAtMost(0.01)).toThrow('expected the run to cost at most $0.01; it cost $0.045')
    const failed = await createRuntime().run(defineAgent({ name: 'a', model: scriptedModel([]) }), 'x').result
    expect(() => expect(failed).toHaveCompleted()).toThrow(/its status is failed: .*The script has no answer 1/)
  })

  it('the matchers refuse what is not a result, and a cost that is unknown', async () => {
    const run = createRuntime().run(defineAgent({ name: 'a', model: scriptedModel(['Hi.']) }), 'x')
    expect(() => expect(run).toHaveCompleted()).toThrow('expect(await run.result)')
    await run.result
    const unpriced = await resultOf(false)
    expect(() => expect(unpriced).toHaveCostAtMost(1)).toThrow('the cost of the run is unknown')
  })
})
