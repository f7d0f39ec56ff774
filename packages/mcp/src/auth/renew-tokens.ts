import type { DpopSession, FetchLike } from '@modelcontextprotocol/client'
import { findAuthorizationServer } from './find-authorization-server.ts'
import type { AuthorizationChallenge } from './authorization-required.ts'
import { openDpopSession } from './dpop-key.ts'
import type { McpAuth } from '../config/mcp-auth.ts'
import type { McpCredentials, McpTokens } from './mcp-token-store.ts'
import { createOAuthClient, type OAuthClient } from './oauth-client.ts'
import { createTokenRequest } from './token-request.ts'

export interface RenewTokensOptions {
  readonly serverUrl: string
  readonly auth: Exclude<McpAuth, { grant: 'none' }>
  readonly credentials: McpCredentials
  readonly challenge: AuthorizationChallenge
  readonly fetch: FetchLike
}

/** Gets a new token without asking the user. `undefined` if only the user can authorize. */
export async function renewTokens(options: RenewTokensOptions): Promise<McpCredentials | undefined> {
  const { auth, credentials } = options
  if (auth.grant !== 'authorization-code') return await requestToken(options)
  return credentials.tokens?.refresh_token === undefined ? undefined : await refresh(options)
}

async function requestToken({ auth, credentials, ...options }: RenewTokensOptions): Promise<McpCredentials> {
  const { fetchToken } = await import('@modelcontextprotocol/client')
  const { serverUrl, challenge, fetch } = options
  const server = await findAuthorizationServer({ serverUrl, challenge, fetch })
  const { url, issuer, metadata, resource = serverUrl } = server
  const request = await createTokenRequest(auth, { target: { issuer, resource }, fetch })
  const client = createOAuthClient({
    auth,
    credentials: bindClient(auth, credentials, issuer),
    dpop: await dpopOf(credentials),
    tokenRequest: request?.parameters,
    addClientAuthentication: request?.addClientAuthentication,
  })
  const scope = challenge.scope ?? auth.scope ?? server.scopes
  const tokens = await fetchToken(client.provider, url, {
    fetchFn: fetch,
    ...(metadata === undefined ? {} : { metadata }),
    ...(server.resource === undefined ? {} : { resource: server.resource }),
    ...(scope === undefined ? {} : { scope }),
  })
  return keepTokens(client, { tokens, issuer, scope })
}

async function refresh({ auth, credentials, ...options }: RenewTokensOptions): Promise<McpCredentials | undefined> {
  const { refreshAuthorization } = await import('@modelcontextprotocol/client')
  const { serverUrl, challenge, fetch } = options
  const server = await findAuthorizationServer({ serverUrl, challenge, fetch })
  const { tokens } = credentials
  const { url, issuer, metadata, resource } = server
  const dpop = await dpopOf(credentials)
  const client = createOAuthClient({ auth, credentials: bindClient(auth, credentials, issuer), dpop })
  const clientInformation = await client.provider.clientInformation({ issuer })
  // Never send a token of one authorization server to another.
  if (clientInformation === undefined || !belongs(tokens, issuer)) return undefined
  try {
    const renewed = await refreshAuthorization(url, {
      clientInformation,
      refreshToken: tokens?.refresh_token ?? '',
      fetchFn: fetch,
      ...(metadata === undefined ? {} : { metadata }),
      ...(resource === undefined ? {} : { resource }),
      ...(dpop === undefined ? {} : { dpop }),
    })
    return keepTokens(client, { tokens: renewed, issuer, scope: tokens?.scope })
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

function belongs(held: { readonly issuer?: string | undefined } | undefined, issuer: string): boolean {
  return held?.issuer === undefined || held.issuer === issuer
}

/** Whether the error is a permanent refusal by the authorization server. */
export function isRefusal(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(invalid_|unauthorized_|unsupported_|access_denied)/.test(code)
}

/** Binds a configured client id to the first authorization server it is used with. */
export function bindClient(
  { clientId }: { readonly clientId?: string | undefined },
  credentials: McpCredentials,
  issuer: string,
): McpCredentials {
  if (clientId === undefined || credentials.client !== undefined) return credentials
  return { ...credentials, client: { issuer } }
}

/** Opens a DPoP session if the credentials hold a key. */
export async function dpopOf({ key }: McpCredentials): Promise<DpopSession | undefined> {
  return key === undefined ? undefined : await openDpopSession(key)
}

interface NewTokens {
  readonly tokens: McpTokens
  readonly issuer: string
  /** The scope of the request. RFC 6749: a server may omit the scope if it grants everything that was requested. */
  readonly scope: string | undefined
}

/** Puts new tokens into the client's credentials. */
export function keepTokens({ credentials }: OAuthClient, { tokens, issuer, scope }: NewTokens): McpCredentials {
  return { ...credentials, tokens: { ...tokens, scope: tokens.scope ?? scope, issuer } }
}
