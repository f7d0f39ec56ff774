import { describe, expect, it } from 'vitest'
import { readKeys, toTokenIssuers } from './client-access.ts'

const ONE = 'first-long-random-key'
const TWO = 'second-long-random-key'
const hash = (key: string): string => `hash of ${key}`

describe('readKeys', () => {
  it('each named key has the scope of its name, and shares a scope only if it asks for it', () => {
    expect(readKeys(`alice:${ONE}, bob:${TWO}, carol@alice:${TWO}`, hash)).toEqual([
      { name: 'alice', hash: hash(ONE), scope: 'alice' },
      { name: 'bob', hash: hash(TWO), scope: 'bob' },
      { name: 'carol', hash: hash(TWO), scope: 'alice' },
    ])
  })

  it('each key without a name has a scope of its own, whatever its place in the list', () => {
    const digest = (key: string): string => key.toUpperCase()
    const [first, second] = readKeys(`${ONE},${TWO}`, digest)
    expect(first?.scope).not.toBe(second?.scope)
    expect(readKeys(`${TWO},${ONE}`, digest)).toEqual([second, first])
  })

  it('an old and a new key of one name have the same scope, so that a key can be rotated', () => {
    expect(readKeys(`alice:${ONE},alice:${TWO}`, hash).map(({ scope }) => scope)).toEqual(['alice', 'alice'])
  })

  it('a key may use the Runs API if its access follows it', () => {
    expect(readKeys(`alice:${ONE}:admin,bob@alice:${TWO}:viewer`, hash)).toEqual([
      { name: 'alice', hash: hash(ONE), scope: 'alice', access: 'admin' },
      { name: 'bob', hash: hash(TWO), scope: 'alice', access: 'viewer' },
    ])
    expect(readKeys(`alice:${ONE}:root`, hash)).toEqual([{ name: 'alice', hash: hash(`${ONE}:root`), scope: 'alice' }])
  })

  it.each([
    ['a short key', 'alice:short', /one has 5/],
    ['a short key with access', 'alice:short:admin', /one has 5/],
    ['a name without a key', 'alice:', /one has 0/],
    ['an invalid name', `a b:${ONE}`, /the name before a colon/],
    ['an empty scope', `alice@:${ONE}`, /the name before a colon/],
  ])('readKeys rejects %s and does not repeat the key', (_, text, message) => {
    expect(() => readKeys(text, hash)).toThrow(message)
    expect(() => readKeys(text, hash)).not.toThrow(ONE)
  })
})

describe('toTokenIssuers', () => {
  it('the flags of tokens describe one issuer, and none of them describe none', () => {
    expect(toTokenIssuers({})).toEqual([])
    const flags = { jwtIssuer: 'https://id.example', jwtAudience: 'parley', jwtScopeClaim: 'org' }
    expect(toTokenIssuers(flags)).toMatchObject([
      { issuer: 'https://id.example', audience: 'parley', scopeClaim: 'org' },
    ])
  })

  it.each([
    [{ jwtIssuer: 'https://id.example' }, /--jwt-audience: is required/],
    [{ jwtAudience: 'parley' }, /--jwt-issuer: is required/],
  ])('toTokenIssuers rejects %o', (flags, message) => {
    expect(() => toTokenIssuers(flags)).toThrow(message)
  })
})
