import { expect, it } from 'vitest'
import { fromGeminiFinish } from './gemini-finish.ts'

it('fromGeminiFinish separates answers, tool calls and every kind of filter', () => {
  expect(fromGeminiFinish('STOP', false)).toBe('stop')
  expect(fromGeminiFinish('STOP', true)).toBe('tool-calls')
  expect(fromGeminiFinish('MAX_TOKENS', true)).toBe('length')
  for (const reason of ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MODEL_ARMOR', 'LANGUAGE'])
    expect(fromGeminiFinish(reason, true)).toBe('content-filter')
  expect(fromGeminiFinish('MALFORMED_FUNCTION_CALL', false)).toBe('error')
  expect(fromGeminiFinish('SOMETHING_NEW', false)).toBe('other')
})
