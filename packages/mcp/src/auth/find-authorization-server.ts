import type { AuthorizationServerMetadata, FetchLike } from '@modelcontextprotocol/client'
import type { AuthorizationChallenge } from './authorization-required.ts'

/** The authorization server of an MCP server. */
export interface AuthorizationServer {
  readonly url: string
  readonly issuer: string
  readonly metadata?: AuthorizationServerMetadata | undefined
  /** The resource that the MCP server's metadata names. Absent if the server has no metadata. */
  readonly resource?: string | undefined
  /** Scopes that the MCP server's metadata names, separated by spaces. */
  readonly scopes?: string | undefined
}

export interface FindAuthorizationServerOptions {
  readonly serverUrl: string
  readonly challenge: AuthorizationChallenge
  readonly fetch: FetchLike
}

/** Discovers the authorization server of an MCP server. Never cached: a server may move to another one. */
export async function findAuthorizationServer({
  serverUrl,
  challenge: { resourceMetadataUrl },
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
    throw new Error(`the server's metadata is for another resource: ${resource}`)
  }
  return {
    url: authorizationServerUrl,
    issuer: authorizationServerMetadata?.issuer ?? authorizationServerUrl,
    metadata: authorizationServerMetadata,
    resource,
    scopes: resourceMetadata?.scopes_supported?.join(' '),
  }
}
