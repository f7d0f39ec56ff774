import type { DpopSession } from '@modelcontextprotocol/client'
import type { McpKey } from './mcp-token-store.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Generates a DPoP key, in the form in which it is stored. */
export async function createDpopKey(): Promise<McpKey> {
  const { generateDpopKeyPair } = await import('@modelcontextprotocol/client')
  const { privateKey, publicJwk, thumbprint } = await generateDpopKeyPair({ alg: 'ES256', extractable: true })
  const exported = await crypto.subtle.exportKey('jwk', privateKey)
  return { privateKey: { ...exported }, publicKey: { ...publicJwk }, thumbprint }
}

/** Opens a session that signs DPoP proofs with a stored key. */
export async function openDpopSession({ privateKey, publicKey, thumbprint }: McpKey): Promise<DpopSession> {
  const { DpopSession } = await import('@modelcontextprotocol/client')
  const keyPair = {
    privateKey: await crypto.subtle.importKey('jwk', { ...privateKey }, ALGORITHM, false, ['sign']),
    publicKey: await crypto.subtle.importKey('jwk', { ...publicKey, key_ops: ['verify'] }, ALGORITHM, true, ['verify']),
    publicJwk: { ...publicKey },
    thumbprint,
    alg: 'ES256',
  } as const
  return await DpopSession.create({ keyPair })
}
