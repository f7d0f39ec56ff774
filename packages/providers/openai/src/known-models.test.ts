import { expect, it } from 'vitest'
import { knownModels } from './known-models.ts'

it('each price of an OpenAI model has a source and a date', () => {
  for (const { pricing } of Object.values(knownModels)) {
    expect(pricing?.source).not.toBe('')
    expect(pricing?.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(pricing?.cacheRead).toBeLessThan(pricing?.input ?? 0)
  }
})
