import { expect, it } from 'vitest'
import { checkServerDefinition } from './check-server-definition.ts'
import type { McpAuth } from './mcp-auth.ts'

function check(auth: object): () => void {
  const definition = { transport: 'http', name: 'web', url: 'https://mcp.example/', auth: auth as McpAuth } as const
  return () => checkServerDefinition(definition, 'server')
}

const identityProvider = { tokenEndpoint: 'https://idp.example/token', clientId: 'c', idToken: 'j' }

it.each([
  { grant: 'none' },
  { grant: 'authorization-code' },
  { grant: 'authorization-code', redirectUrl: 'http://localhost:3000/callback', clientMetadataUrl: 'https://a/c.json' },
  { grant: 'client-credentials', clientId: 'c', clientSecret: 's' },
  { grant: 'client-credentials', clientId: 'c', privateKey: 'PEM' },
  { grant: 'jwt-bearer', clientId: 'c', assertion: () => 'jwt' },
  { grant: 'enterprise-managed', clientId: 'c', identityProvider },
])('auth options are accepted: %j', auth => {
  expect(check(auth)).not.toThrow()
})

it.each([
  [{ grant: 'password' }, "server.auth.grant: 'password' is unknown"],
  [
    { grant: 'client-credentials', clientId: 'c' },
    "server.auth.privateKey: is required for grant 'client-credentials'",
  ],
  [{ grant: 'client-credentials', clientSecret: 's' }, 'server.auth.clientId: is required'],
  [{ grant: 'jwt-bearer', clientId: 'c' }, 'server.auth.assertion: is required'],
  [{ grant: 'enterprise-managed', clientId: 'c' }, 'server.auth.identityProvider.tokenEndpoint: is required'],
  [
    { grant: 'authorization-code', redirectUrl: 'https://localhost/' },
    "server.auth.redirectUrl: 'https://localhost/' must",
  ],
  [{ grant: 'authorization-code', redirectUrl: 'http://evil.example/' }, 'server.auth.redirectUrl: '],
  [{ grant: 'authorization-code', clientMetadataUrl: 'http://a/' }, 'server.auth.clientMetadataUrl: '],
])('invalid auth options are rejected with config-invalid: %j', (auth, words) => {
  expect(check(auth)).toThrow(words)
})
