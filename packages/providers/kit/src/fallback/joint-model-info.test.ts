import type { ModelInfo, ModelPricing } from '@parley/core'
import { expect, it } from 'vitest'
import { scriptedModel } from '../__fixtures__/scripted-model.ts'
import { jointModelInfo } from './joint-model-info.ts'

const joint = (...infos: ModelInfo[]): ModelInfo => jointModelInfo(infos.map(info => scriptedModel('a', [], { info })))
const pricing: ModelPricing = { input: 1, output: 2, cacheRead: 0.1, source: 'x', date: '2026-01-01' }

it('jointModelInfo returns the smallest limits, and none if one is unknown', () => {
  const a = { contextWindow: 9, maxOutputTokens: 3 }
  expect(joint(a, { contextWindow: 7, maxOutputTokens: 5 })).toEqual({ contextWindow: 7, maxOutputTokens: 3 })
  expect(joint(a, { contextWindow: 7 })).toEqual({ contextWindow: 7 })
})

it('jointModelInfo returns a price only if all models have the same', () => {
  expect(joint({ pricing }, { pricing: { ...pricing, date: '2026-02-02' } })).toEqual({ pricing })
  expect(joint({ pricing }, { pricing: { ...pricing, cacheRead: 0.2 } })).toEqual({})
  const tier = { aboveInput: 9, input: 2, output: 3 }
  const tiered = { ...pricing, tiers: [tier] }
  expect(joint({ pricing: tiered }, { pricing: { ...tiered, tiers: [{ ...tier }] } })).toEqual({ pricing: tiered })
  expect(joint({ pricing: tiered }, { pricing })).toEqual({})
  expect(joint({ pricing }, { pricing: { ...pricing, cacheWrite1h: 9 } })).toEqual({})
  expect(joint({ pricing }, {})).toEqual({})
})

it('jointModelInfo returns the abilities that all models have', () => {
  const schema: ModelInfo = { structuredOutput: 'schema' }
  expect(joint(schema, schema)).toEqual(schema)
  expect(joint(schema, { structuredOutput: 'json' })).toEqual({ structuredOutput: 'json' })
  expect(joint(schema, {})).toEqual({})
  expect(joint(schema, { ...schema, structuredOutputWithTools: false })).toEqual({
    ...schema,
    structuredOutputWithTools: false,
  })
  expect(joint({}, { toolCalls: false })).toEqual({ toolCalls: false })
})
