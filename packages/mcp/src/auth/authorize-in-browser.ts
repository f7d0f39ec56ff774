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
  readonly need: AuthorizationChallenge
  readonly fetch: FetchLike
  readonly openBrowser: OpenBrowser
  readonly signal: AbortSignal
}

/** Shows the authorization server's page to a person and waits for what it sends back. */
export async function authorizeInBrowser(options: AuthorizeInBrowserOptions): Promise<McpCredentials> {
  const { serverUrl, auth, need, fetch, openBrowser, signal } = options
  const sdk = await import('@modelcontextprotocol/client')
  await using receiver = await openReceiver(auth, options.credentials)
  const client = createOAuthClient({
    auth,
    credentials: keptFor(receiver, options.credentials),
    redirectUrl: receiver.url,
    dpop: await dpopOf(options.credentials),
  })
  const { resourceMetadataUrl, scope } = need
  await sdk.auth(client.provider, {
    serverUrl,
    fetchFn: fetch,
    forceReauthorization: true,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  })
  const url = client.authorizationUrl
  if (url === undefined) throw new Error('the authorization server named no page to show')
  // Whatever opens pages may do more with other schemes.
  if (!/^https?:$/.test(url.protocol))
    throw new Error(`the authorization server's page is no web page: ${url.protocol}`)
  // Waits before the browser is asked, which may be faster.
  const returned = receiver.wait(client.state, signal)
  returned.catch(() => {})
  await openBrowser(url)
  const kept = await redeem(client, await returned, { fetch, scope: url.searchParams.get('scope') ?? undefined })
  return bindClient(auth, kept, kept.tokens?.issuer ?? '')
}

async function redeem(
  client: OAuthClient,
  returned: URLSearchParams,
  { fetch, scope }: { readonly fetch: FetchLike; readonly scope: string | undefined },
): Promise<McpCredentials> {
  const { fetchToken, validateAuthorizationResponseIssuer } = await import('@modelcontextprotocol/client')
  const { discovered } = client
  if (discovered === undefined) throw new Error('the authorization server was not found')
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = discovered
  const iss = returned.get('iss') ?? undefined
  // Before anything else is believed: the page may be another server's.
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  })
  const authorizationCode = returned.get('code')
  if (authorizationCode === null) throw new Error(refusalOf(returned))
  const tokens = await fetchToken(client.provider, authorizationServerUrl, {
    authorizationCode,
    fetchFn: fetch,
    ...(metadata === undefined ? {} : { metadata }),
    ...(iss === undefined ? {} : { iss }),
    ...(resourceMetadata === undefined ? {} : { resource: resourceMetadata.resource }),
  })
  return keepTokens(client, { tokens, issuer: metadata?.issuer ?? authorizationServerUrl, scope })
}

function refusalOf(returned: URLSearchParams): string {
  const error = returned.get('error') ?? 'no code came back'
  const words = returned.get('error_description')
  return `the request was refused: ${error}${words === null ? '' : ` (${words})`}`
}

/** A client that registered itself did so for one address: it is taken again where it is free. */
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

function keptFor({ url }: RedirectReceiver, kept: McpCredentials): McpCredentials {
  const { client, redirectUrl, key } = kept
  const known = redirectUrl === undefined || redirectUrl === url
  return known ? { client, redirectUrl, key } : { key }
}
