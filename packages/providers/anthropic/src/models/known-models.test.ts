import { costOf, ZERO_USAGE } from '@parley/core'
import { expect, it } from 'vitest'
import { knownModels } from './known-models.ts'
import { rulesOfModel } from './model-rules.ts'

it.each(Object.entries(knownModels))('the facts about %s are consistent', (id, { pricing, ...info }) => {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, source, date } = pricing ?? {}
  expect(cacheRead).toBeGreaterThan(0)
  expect(cacheRead).toBeLessThan(input)
  expect(input).toBeLessThan(cacheWrite)
  expect(cacheWrite).toBeLessThan(output)
  expect(source).toContain('claude.com')
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(info.maxOutputTokens).toBeLessThan(info.contextWindow ?? 0)
  expect(rulesOfModel(id).defaultOutputTokens).toBeLessThanOrEqual(info.maxOutputTokens ?? 0)
})

it('cache writes for an hour cost twice the input price, and long prompts cost the price of their tier', () => {
  const usd = (id: string, usage: object): number => {
    const pricing = knownModels[id]?.pricing
    return pricing === undefined ? NaN : costOf({ ...ZERO_USAGE, ...usage }, pricing).usd
  }
  expect(usd('claude-sonnet-4-5', { cacheWrite: 1_000_000, cacheWrite1h: 1_000_000 })).toBeCloseTo(6)
  expect(usd('claude-sonnet-4-5', { cacheWrite: 1_000_000 })).toBeCloseTo(3.75)
  expect(usd('claude-haiku-5-5', { input: 100_000 })).toBeCloseTo(0.01)
  expect(usd('claude-haiku-5-5', { input: 200_000 })).toBeCloseTo(0.1)
})
