import { describe, expect, it } from 'vitest'
import { querySecretsOf, redact, secretsOf } from './redact.ts'

describe('secretsOf', () => {
  it('secretsOf returns the values of headers that hold a secret by their name, without the scheme', () => {
    const headers = {
      authorization: 'Bearer sk-planted-1',
      'x-api-key': 'planted-2',
      'content-type': 'application/json',
    }
    expect(secretsOf(headers)).toEqual(['sk-planted-1', 'planted-2'])
  })

  it('secretsOf skips values that are too short to be a secret, so that errors stay readable', () => {
    expect(secretsOf({ authorization: 'Bearer none' })).toEqual([])
  })
})

it('querySecretsOf returns the keys of a query, also as the URL encodes them', () => {
  const url = new URL('https://example.com/v1?api-version=2026-01-01&api_key=planted%2F1')
  expect(querySecretsOf(url)).toEqual(['planted/1', 'planted%2F1'])
})

describe('redact', () => {
  it('redact replaces every occurrence of a secret', () => {
    expect(redact('a planted-2 b planted-2', ['planted-2'])).toBe('a [redacted] b [redacted]')
  })

  it('redact replaces the token after the word Bearer', () => {
    expect(redact('sent authorization: Bearer abc.def-ghi_123=', [])).toBe('sent authorization: Bearer [redacted]')
  })
})
