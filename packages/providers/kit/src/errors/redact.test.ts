import { describe, expect, it } from 'vitest'
import { redact, secretsOf } from './redact.ts'

describe('secretsOf', () => {
  it('takes the values of headers that speak of keys, without the scheme', () => {
    const headers = {
      authorization: 'Bearer sk-planted-1',
      'x-api-key': 'planted-2',
      'content-type': 'application/json',
    }
    expect(secretsOf(headers)).toEqual(['sk-planted-1', 'planted-2'])
  })

  it('leaves values too short to be secret, so that errors stay readable', () => {
    expect(secretsOf({ authorization: 'Bearer none' })).toEqual([])
  })
})

describe('redact', () => {
  it('blots out every occurrence of a secret', () => {
    expect(redact('a planted-2 b planted-2', ['planted-2'])).toBe('a [redacted] b [redacted]')
  })

  it('blots out whatever follows the word Bearer', () => {
    expect(redact('sent authorization: Bearer abc.def-ghi_123=', [])).toBe('sent authorization: Bearer [redacted]')
  })
})
