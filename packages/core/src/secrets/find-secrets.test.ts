import { expect, it } from 'vitest'
import { findSecrets } from './find-secrets.ts'

// Joined here, so that scanners of repositories do not report this file.
const key = (...parts: readonly string[]): string => parts.join('')
const found = (text: string): readonly string[] => findSecrets(text).map(({ start, end }) => text.slice(start, end))

it.each([
  [key('Use sk', '-abcdefghijklmnop to sign in.'), [key('sk', '-abcdefghijklmnop')]],
  [key('gh', 'p_16C7e42F292c6912E7710c838347Ae178B4a'), [key('gh', 'p_16C7e42F292c6912E7710c838347Ae178B4a')]],
  [key('AK', 'IAIOSFODNN7EXAMPLE!'), [key('AK', 'IAIOSFODNN7EXAMPLE')]],
  [
    key('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'),
    [key('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl')],
  ],
  ['Authorization: Bearer 0123456789abcdef0123', ['0123456789abcdef0123']],
  ['API_KEY=letmein', ['letmein']],
  ['{"client_secret": "abcdef123456"}', ['abcdef123456']],
  ['The password is hunter2hunter2', ['hunter2hunter2']],
  ['postgres://admin:letmein@db/main', ['letmein']],
  [
    key('a\n-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\nb'),
    [key('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----')],
  ],
])('findSecrets finds the credential in %j and nothing beside it', (text, expected) => {
  expect(found(text)).toEqual(expected)
})

it.each([
  'Be brief. Answer in the language of the user.',
  'Never reveal a password or a secret token.',
  'The key: patience. Your token: {{user_token}}.',
  'See https://example.com/a/long/path?with=a&query=string and packages/core/src/secrets.',
  'password: [SECRET] and Bearer [SECRET]',
])('findSecrets finds no credential in %j', text => {
  expect(found(text)).toEqual([])
})

it('findSecrets reads a long hostile text in linear time', () => {
  const key = '-----BEGIN PRIVATE KEY-----'
  for (const piece of ['eyJa', 'secret ', 'key:', 'password=', '://a:', 'sk-', 'Bearer ', `${key}a`])
    findSecrets(piece.repeat(50_000))
})
