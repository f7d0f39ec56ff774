import { expect, it } from 'vitest'
import { knownModels } from './known-models.ts'
import { thinkingSupportOf } from './request/thinking-support.ts'

it('says for each price where and when it was read', () => {
  for (const { pricing } of Object.values(knownModels)) {
    expect(pricing?.source).not.toBe('')
    expect(pricing?.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(pricing?.cacheRead).toBeLessThan(pricing?.input ?? 0)
  }
})

it('knows how each of them thinks', () => {
  for (const id of Object.keys(knownModels)) expect(thinkingSupportOf(id)?.kind).toMatch(/budget|level/)
})
