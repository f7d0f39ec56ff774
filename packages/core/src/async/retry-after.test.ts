import { describe, expect, it } from 'vitest'
import { retryAfterOf } from './retry-after.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const wait = (headers: Record<string, string>): number | undefined => retryAfterOf(new Headers(headers), NOW)

describe('retryAfterOf', () => {
  it('retryAfterOf prefers retry-after-ms to retry-after', () => {
    expect(wait({ 'retry-after-ms': '1500.5', 'retry-after': '7' })).toBe(1500.5)
  })

  it('retryAfterOf reads seconds, fractions of seconds, and dates', () => {
    expect(wait({ 'retry-after': '2' })).toBe(2000)
    expect(wait({ 'retry-after': '0.25' })).toBe(250)
    expect(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' })).toBe(5000)
  })

  it('retryAfterOf ignores zero, times in the past and invalid values', () => {
    expect(wait({ 'retry-after-ms': '0', 'retry-after': '1' })).toBe(1000)
    expect(wait({ 'retry-after': '0' })).toBeUndefined()
    expect(wait({ 'retry-after': '-3' })).toBeUndefined()
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined()
    expect(wait({ 'retry-after': 'Thu, 01 Jan 2015 00:00:05 GMT' })).toBeUndefined()
    expect(wait({})).toBeUndefined()
  })

  it('retryAfterOf reads a reset that is a point in time, and ignores any other', () => {
    expect(wait({ 'x-ratelimit-reset': String(NOW + 3000) })).toBe(3000)
    expect(wait({ 'x-ratelimit-reset': String(NOW / 1000 + 4) })).toBe(4000)
    expect(wait({ 'x-ratelimit-reset': '30' })).toBeUndefined()
  })
})
