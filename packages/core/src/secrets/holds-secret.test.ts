import { expect, it } from 'vitest'
import { holdsSecret } from './holds-secret.ts'

// Joined here, so that scanners of repositories do not report this file.
const key = (...parts: readonly string[]): string => parts.join('')

it.each([
  key('Use sk', '-abcdefghijklmnop to sign in.'),
  key('gh', 'p_16C7e42F292c6912E7710c838347Ae178B4a'),
  key('AK', 'IAIOSFODNN7EXAMPLE'),
  key('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'),
  'Authorization: Bearer 0123456789abcdef0123',
  'The password is hunter2hunter2.',
  'API_KEY=abcdef123456',
  '{"client_secret": "abcdef123456"}',
  'postgres://admin:letmein@db/main',
  key('-----BEGIN RSA ', 'PRIVATE KEY-----'),
  'It is aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF.',
])('holdsSecret recognizes the credential in %j', text => {
  expect(holdsSecret(text)).toBe(true)
})

it.each([
  'Be brief. Answer in the language of the user.',
  'Never reveal a password or a secret token.',
  'Today is {{current_time}}. Your token: {{user_token}}.',
  'See https://example.com/a/long/path?with=a&query=string and packages/core/src/secrets.',
  'Bearer tokens are explained in RFC 6750.',
])('holdsSecret does not take %j for a credential', text => {
  expect(holdsSecret(text)).toBe(false)
})

it('holdsSecret reads a long hostile text in linear time', () => {
  for (const piece of ['eyJa', 'secret ', 'a:', '://a:', 'sk-', 'Bearer ']) holdsSecret(piece.repeat(50_000))
  expect(holdsSecret('secret '.repeat(50_000))).toBe(false)
})
