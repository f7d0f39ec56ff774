import { expect, it } from 'vitest'
import { knownModels } from './known-models.ts'
import { rulesOfModel } from './model-rules.ts'

it.each(Object.entries(knownModels))('has figures of %s that hang together', (id, { pricing, ...info }) => {
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
