import { defineTool, type Tool } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent, type Run } from '../index.ts'

it('a run has its usage, cost and turns while it works, and the result has the same at the end', async () => {
  const seen: unknown[] = []
  const look: Tool = defineTool({
    name: 'look',
    description: 'Looks at the run.',
    input: { type: 'object' },
    execute: () => {
      seen.push([run.turns, run.usage.input, run.cost?.usd])
      return 'ok'
    },
  })
  const pricing = { input: 1_000_000, output: 0, source: '', date: '2026-01-01' }
  const call = { toolCalls: [{ name: 'look' }] }
  const model = scriptedModel([call, call, 'Done.'], { info: { pricing } })
  const agent = defineAgent({ name: 'a', model, tools: [look] })
  const run: Run = createRuntime().run(agent, 'go')
  expect([run.turns, run.usage.input]).toEqual([0, 0])
  const { usage, cost, turns } = await run.result
  expect(seen).toEqual([
    [1, 10, 10],
    [2, 20, 20],
  ])
  expect({ usage: run.usage, cost: run.cost, turns: run.turns }).toEqual({ usage, cost, turns })
})
