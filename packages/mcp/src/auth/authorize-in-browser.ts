import { ParleyError } from '@parley/core'
import type { AuthorizationChallenge } from './authorization-required.ts'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpBrowserAuth } from '../config/mcp-auth.ts'
import type { McpCredentials } from './mcp-token-store.ts'
import { createOAuthClient, type OAuthClient } from './oauth-client.ts'
import { openRedirectReceiver, type RedirectReceiver } from './open-redirect-receiver.ts'
import { bindClient, dpopOf, keepTokens } from './renew-tokens.ts'

/** Shows a page to the user, in a browser or by other means. */
export type OpenBrowser = (url: URL) => void | Promise<void>

export interface AuthorizeInBrowserOptions {
  readonly serverUrl: string
  readonly auth: McpBrowserAuth
  readonly credentials: McpCredentials
  readonly challenge: AuthorizationChallenge
  readonly fetch: FetchLike
  readonly openBrowser: OpenBrowser
  readonly signal: AbortSignal
}

/** Gets tokens by the authorization code grant: shows the authorization server's page and waits for the redirect. */
export async function authorizeInBrowser(options: AuthorizeInBrowserOptions): Promise<McpCredentials> {
  const { serverUrl, auth, challenge, fetch, openBrowser, signal } = options
  const sdk = await import('@modelcontextprotocol/client')
  await using receiver = await openReceiver(auth, options.credentials)
  const client = createOAuthClient({
    auth,
    credentials: credentialsFor(receiver, options.credentials),
    redirectUrl: receiver.url,
    dpop: await dpopOf(options.credentials),
  })
  const { resourceMetadataUrl, scope } = challenge
  await sdk.auth(client.provider, {
    serverUrl,
    fetchFn: fetch,
    forceReauthorization: true,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  })
  const url = client.authorizationUrl
  if (url === undefined) throw new Error('the authorization server gave no authorization URL')
  // An opener such as xdg-open may run programs for other schemes.
  if (!/^https?:$/.test(url.protocol))
    throw new Error(`the authorization URL must be http: or https:, not ${url.protocol}`)
  // Waits before the page is shown: the redirect may arrive before openBrowser resolves.
  const redirected = receiver.wait(client.state, signal)
  redirected.catch(() => {})
  await openBrowser(url)
  const kept = await exchangeCode(client, await redirected, {
    fetch,
    scope: url.searchParams.get('scope') ?? undefined,
  })
  return bindClient(auth, kept, kept.tokens?.issuer ?? '')
}

async function exchangeCode(
  client: OAuthClient,
  redirected: URLSearchParams,
  { fetch, scope }: { readonly fetch: FetchLike; readonly scope: string | undefined },
): Promise<McpCredentials> {
  const { fetchToken, validateAuthorizationResponseIssuer } = await import('@modelcontextprotocol/client')
  const { discovered } = client
  if (discovered === undefined) throw new Error('the authorization server was not found')
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = discovered
  const iss = redirected.get('iss') ?? undefined
  // Checked first (RFC 9207): the redirect may come from another authorization server.
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  })
  const authorizationCode = redirected.get('code')
  if (authorizationCode === null) throw new Error(refusalOf(redirected))
  const tokens = await fetchToken(client.provider, authorizationServerUrl, {
    authorizationCode,
    fetchFn: fetch,
    ...(metadata === undefined ? {} : { metadata }),
    ...(iss === undefined ? {} : { iss }),
    ...(resourceMetadata === undefined ? {} : { resource: resourceMetadata.resource }),
  })
  return keepTokens(client, { tokens, issuer: metadata?.issuer ?? authorizationServerUrl, scope })
}

function refusalOf(redirected: URLSearchParams): string {
  const error = redirected.get('error') ?? 'the redirect has no code'
  const description = redirected.get('error_description')
  return `the request was refused: ${error}${description === null ? '' : ` (${description})`}`
}

/**
 * Opens the receiver of the redirect, if possible at the address with which the client registered: the server accepts
 * only that one.
 */
async function openReceiver(
  { redirectUrl, clientId }: McpBrowserAuth,
  kept: McpCredentials,
): Promise<RedirectReceiver> {
  const url = redirectUrl ?? (clientId === undefined ? kept.redirectUrl : undefined) ?? 'http://127.0.0.1/callback'
  try {
    return await openRedirectReceiver({ url })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (redirectUrl === undefined && code === 'EADDRINUSE') {
      return await openRedirectReceiver({ url: 'http://127.0.0.1/callback' })
    }
    const detail = `cannot listen at ${url}: ${code ?? String(error)}`
    throw new ParleyError({ code: 'config-invalid', path: 'auth.redirectUrl', detail }, { cause: error })
  }
}

/**
 * Returns the credentials for the flow. Leaves out a registration for another redirect address, so the client registers
 * again.
 */
function credentialsFor({ url }: RedirectReceiver, kept: McpCredentials): McpCredentials {
  const { client, redirectUrl, key } = kept
  const known = redirectUrl === undefined || redirectUrl === url
  return known ? { client, redirectUrl, key } : { key }
}
