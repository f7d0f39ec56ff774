import { describe, expect, it } from 'vitest'
import { createId } from './create-id.ts'

describe('createId', () => {
  it('createId returns UUIDs of version 7', () => {
    expect(createId(Date.now())).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('ids sort by order of creation within one millisecond and when the clock goes back', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => createId(5_000_000_000_000 - (index % 3)))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
