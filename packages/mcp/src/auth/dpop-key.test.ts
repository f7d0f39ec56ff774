import { expect, it } from 'vitest'
import { createDpopKey, openDpopSession } from './dpop-key.ts'
import type { McpKey } from './mcp-token-store.ts'

it('a DPoP key signs valid proofs after it was stored as JSON', async () => {
  const key = JSON.parse(JSON.stringify(await createDpopKey())) as McpKey
  const session = await openDpopSession(key)
  expect(session.thumbprint).toBe(key.thumbprint)
  const proof = await session.buildProof({ htm: 'POST', htu: 'https://a.example/mcp' })
  const [head = '', body = '', signature = ''] = proof.split('.')
  const { jwk } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { jwk: Record<string, unknown> }
  expect(jwk['d']).toBeUndefined()
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const verifier = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  const signed = Buffer.from(`${head}.${body}`)
  expect(await crypto.subtle.verify(algorithm, verifier, Buffer.from(signature, 'base64url'), signed)).toBe(true)
})
