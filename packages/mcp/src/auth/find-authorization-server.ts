import type { AuthorizationServerMetadata, FetchLike } from '@modelcontextprotocol/client'
import type { AuthorizationChallenge } from './authorization-required.ts'

/** Who gives out tokens for a server, and what they are for. */
export interface AuthorizationServer {
  readonly url: string
  readonly issuer: string
  readonly metadata?: AuthorizationServerMetadata | undefined
  /** As the server's metadata names it; absent where it has none. */
  readonly resource?: string | undefined
  /** Scopes the server's metadata names. */
  readonly scopes?: string | undefined
}

export interface FindAuthorizationServerOptions {
  readonly serverUrl: string
  readonly need: AuthorizationChallenge
  readonly fetch: FetchLike
}

/** Asks anew each time: a server may move to another authorization server. */
export async function findAuthorizationServer({
  serverUrl,
  need: { resourceMetadataUrl },
  fetch,
}: FindAuthorizationServerOptions): Promise<AuthorizationServer> {
  const { checkResourceAllowed, discoverOAuthServerInfo } = await import('@modelcontextprotocol/client')
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = await discoverOAuthServerInfo(
    serverUrl,
    { fetchFn: fetch, ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }) },
  )
  const resource = resourceMetadata?.resource
  const requestedResource = serverUrl.replace(/#.*$/, '')
  if (resource !== undefined && !checkResourceAllowed({ requestedResource, configuredResource: resource })) {
    throw new Error(`its metadata is for another server, ${resource}`)
  }
  return {
    url: authorizationServerUrl,
    issuer: authorizationServerMetadata?.issuer ?? authorizationServerUrl,
    metadata: authorizationServerMetadata,
    resource,
    scopes: resourceMetadata?.scopes_supported?.join(' '),
  }
}
