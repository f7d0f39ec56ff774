import { expect, it } from 'vitest'
import { knownModels } from './known-models.ts'
import { thinkingSupportOf } from './request/thinking-support.ts'

it('each price of a Gemini model has a source and a date', () => {
  for (const { pricing } of Object.values(knownModels)) {
    expect(pricing?.source).not.toBe('')
    expect(pricing?.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(pricing?.cacheRead).toBeLessThan(pricing?.input ?? 0)
  }
})

it('thinkingSupportOf knows every model with built-in facts', () => {
  for (const id of Object.keys(knownModels)) expect(thinkingSupportOf(id)?.kind).toMatch(/budget|level/)
})
