import type { AddClientAuthentication, DpopSession, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { McpAuth } from '../config/mcp-auth.ts'
import type { McpCredentials } from './mcp-token-store.ts'

type StoredClient = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>
type DiscoveryState = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>

/** The SDK's view of this client during one flow. Afterward, `credentials` contains the data to store. */
export interface OAuthClient {
  readonly provider: OAuthClientProvider
  readonly credentials: McpCredentials
  /** The page to show to the user, once the SDK has computed it. */
  readonly authorizationUrl: URL | undefined
  readonly state: string
  readonly discovered: DiscoveryState
}

export interface OAuthClientOptions {
  readonly auth: Exclude<McpAuth, { grant: 'none' }>
  readonly credentials: McpCredentials
  /** Redirect address. Absent for grants without a browser. */
  readonly redirectUrl?: string | undefined
  readonly dpop: DpopSession | undefined
  /** Parameters of the token request, for grants without a browser. */
  readonly tokenRequest?: ((scope: string | undefined) => Promise<URLSearchParams>) | undefined
  readonly addClientAuthentication?: AddClientAuthentication | undefined
}

export function createOAuthClient({
  auth,
  redirectUrl,
  dpop,
  tokenRequest,
  addClientAuthentication,
  ...given
}: OAuthClientOptions): OAuthClient {
  let { credentials } = given
  let authorizationUrl: URL | undefined
  let verifier = ''
  let discovered: DiscoveryState
  const state = crypto.randomUUID()
  const isConfigured = auth.clientId !== undefined

  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(auth.grant === 'authorization-code' && auth.clientMetadataUrl !== undefined
      ? { clientMetadataUrl: auth.clientMetadataUrl }
      : {}),
    clientMetadata: metadataOf(auth, redirectUrl),
    state: () => state,
    clientInformation: () => clientOf(auth, credentials),
    ...(isConfigured
      ? {}
      : {
          saveClientInformation: client => void (credentials = { ...credentials, client: { ...client }, redirectUrl }),
        }),
    tokens: () => credentials.tokens,
    saveTokens: tokens => void (credentials = { ...credentials, tokens }),
    redirectToAuthorization: url => void (authorizationUrl = url),
    saveCodeVerifier: value => void (verifier = value),
    codeVerifier: () => verifier,
    saveDiscoveryState: value => void (discovered = value),
    discoveryState: () => discovered,
    ...(dpop === undefined ? {} : { dpop: () => dpop }),
    ...(tokenRequest === undefined ? {} : { prepareTokenRequest: tokenRequest }),
    ...(addClientAuthentication === undefined ? {} : { addClientAuthentication }),
  }

  return {
    provider,
    state,
    get credentials() {
      return credentials
    },
    get authorizationUrl() {
      return authorizationUrl
    },
    get discovered() {
      return discovered
    },
  }
}

function clientOf(auth: OAuthClientOptions['auth'], { client }: McpCredentials): StoredClient | undefined {
  const { clientId, issuer = client?.['issuer'] } = auth
  if (clientId === undefined) return client as StoredClient | undefined
  const secret = 'clientSecret' in auth && auth.clientSecret !== undefined ? { client_secret: auth.clientSecret } : {}
  return { client_id: clientId, ...secret, ...(typeof issuer === 'string' ? { issuer } : {}) }
}

function metadataOf(
  { scope, ...auth }: OAuthClientOptions['auth'],
  redirectUrl: string | undefined,
): OAuthClientProvider['clientMetadata'] {
  const grants =
    auth.grant === 'authorization-code'
      ? ['authorization_code', 'refresh_token']
      : [auth.grant === 'client-credentials' ? 'client_credentials' : 'urn:ietf:params:oauth:grant-type:jwt-bearer']
  return {
    client_name: 'Parley',
    redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
    grant_types: grants,
    ...(auth.grant === 'authorization-code' ? { response_types: ['code'] } : {}),
    ...(scope === undefined ? {} : { scope }),
  }
}
