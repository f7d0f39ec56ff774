import { describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { calculator } from './calculator.ts'

describe('calculator', () => {
  it.each([
    ['0.1 + 0.2', '0.3', 0.3],
    ['2^10', '1024', 1024],
    ['2^64', '18446744073709551616', '18446744073709551616'],
    ['1/3', '0.333333333333333', 0.333333333333333],
  ])('calculator shows %s as %s and returns %j as structured result', async (expression, text, result) => {
    const { outcome } = await callTool([calculator], 'calculator', { expression })
    expect(outcome).toMatchObject({ type: 'ok', content: [{ text }], structured: { result } })
  })

  it('calculator answers text that is not an expression with a failure', async () => {
    const { ok, text } = await callTool([calculator], 'calculator', { expression: 'two plus two' })
    expect(ok).toBe(false)
    expect(text).toContain("'two' is not known")
  })
})
