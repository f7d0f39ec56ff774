import { ParleyError } from '@parley/core'
import { authorizeInBrowser, type OpenBrowser } from './authorize-in-browser.ts'
import { AuthorizationRequired, type AuthorizationChallenge } from './authorization-required.ts'
import { createDpopKey, openDpopSession } from './dpop-key.ts'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpAuth } from '../config/mcp-auth.ts'
import type { McpCredentials, McpTokenStore } from './mcp-token-store.ts'
import { createLimitedFetch } from '../transport/create-limited-fetch.ts'
import { isRefusal, renewTokens } from './renew-tokens.ts'

/** Authorizes the requests to one server. */
export interface Authorizer {
  /**
   * Sends requests with the token. Gets a new token if this is possible without the user.
   * @throws AuthorizationRequired if the user must be asked.
   */
  readonly fetch: FetchLike
  /**
   * Asks the user for authorization. Concurrent calls share one question.
   * @throws ParleyError `mcp-auth-required` if no browser is configured or the user refuses.
   */
  askUser(required: AuthorizationRequired, signal: AbortSignal): Promise<void>
  /** Discards the tokens and any earlier refusal by the user. */
  reset(): Promise<void>
}

export interface AuthorizerOptions {
  readonly server: string
  readonly serverUrl: string
  readonly auth: Exclude<McpAuth, { grant: 'none' }>
  readonly tokenStore: McpTokenStore
  readonly openBrowser: OpenBrowser | undefined
  /** Milliseconds within which the user must agree. */
  readonly authTimeoutMs: number
}

const MAX_RENEWALS = 2
const OAUTH_REQUEST_MS = 30_000
const OAUTH_ANSWER_BYTES = 1024 * 1024

export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { server, serverUrl, auth, tokenStore, openBrowser, authTimeoutMs } = options
  const key = `${auth.grant} ${auth.clientId ?? ''} ${serverUrl}`
  let refusal: ParleyError | undefined
  let pending: Promise<void> | undefined

  const toError = (detail: string, cause?: unknown): ParleyError =>
    new ParleyError({ code: 'mcp-auth-required', server, detail }, { cause })

  const load = async (): Promise<McpCredentials> => (await tokenStore.read(key)) ?? {}

  async function loadWithKey(): Promise<McpCredentials> {
    const credentials = await load()
    if (auth.dpop !== true || credentials.key !== undefined) return credentials
    return { ...credentials, key: await createDpopKey() }
  }

  /** Gets a new token. @returns Credentials with a token other than the refused one. */
  function renew(challenge: AuthorizationChallenge, why: string): Promise<McpCredentials> {
    return tokenStore.exclusively(key, async () => {
      const credentials = await loadWithKey()
      const held = credentials.tokens?.access_token
      // Another caller or process has renewed the token already.
      if (held !== undefined && held !== challenge.refusedToken) return credentials
      const wider = challenge.scope !== undefined && !covers(credentials.tokens?.scope, challenge.scope)
      // A refresh token cannot get more scopes than the user granted.
      const needsUser = auth.grant === 'authorization-code' && wider && why === STEP_UP
      const renewed = needsUser
        ? undefined
        : await renewTokens({ serverUrl, auth, credentials, challenge, fetch: oauthFetch }).catch((error: unknown) => {
            if (isRefusal(error)) throw new AuthorizationRequired(challenge, `${why}, and ${reasonOf(error)}`)
            throw error
          })
      if (renewed === undefined) throw new AuthorizationRequired(challenge, why)
      await tokenStore.write(key, renewed)
      return renewed
    })
  }

  async function askUser({ challenge, message }: AuthorizationRequired, signal: AbortSignal): Promise<void> {
    if (refusal !== undefined) throw refusal
    const credentials = await loadWithKey()
    const held = credentials.tokens?.access_token
    if (held !== undefined && held !== challenge.refusedToken) return
    if (auth.grant !== 'authorization-code') throw toError(message)
    if (openBrowser === undefined) throw toError(`${message}, and openBrowser is not configured`)
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(authTimeoutMs)])
      const request = { serverUrl, auth, credentials, challenge, fetch: oauthFetch, openBrowser, signal: limit }
      await tokenStore.write(key, await authorizeInBrowser(request))
    } catch (error) {
      signal.throwIfAborted()
      // The next request must not show the same page again.
      refusal = toError(isTimeout(error) ? `the user did not agree within ${authTimeoutMs} ms` : reasonOf(error), error)
      throw refusal
    }
  }

  return {
    fetch: createAuthorizedFetch({ load, renew }),
    askUser(required, signal) {
      return (pending ??= askUser(required, signal).finally(() => (pending = undefined)))
    },
    async reset() {
      refusal = undefined
      await tokenStore.write(key, { ...(await load()), tokens: undefined })
    },
  }
}

const STEP_UP = 'the server requires more scopes than were granted'
const NO_TOKEN = 'the server requires authorization'

interface AuthorizedFetchOptions {
  readonly load: () => Promise<McpCredentials>
  readonly renew: (challenge: AuthorizationChallenge, why: string) => Promise<McpCredentials>
}

function createAuthorizedFetch({ load, renew }: AuthorizedFetchOptions): FetchLike {
  const signing = createSigningFetch()
  return async (url, init) => {
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
    let credentials = await load()
    for (let renewals = 0; ; renewals += 1) {
      const response = await signing(credentials, url, init)
      const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
      const stepUp = response.status === 403 && error === 'insufficient_scope'
      if (response.status !== 401 && !stepUp) return response
      await response.body?.cancel()
      const { access_token: refusedToken, scope: granted } = credentials.tokens ?? {}
      const wanted = stepUp ? unionOf(granted, scope) : scope
      const challenge = { resourceMetadataUrl, scope: wanted, refusedToken }
      if (renewals === MAX_RENEWALS) throw new AuthorizationRequired(challenge, 'the server refuses every token')
      credentials = await renew(challenge, stepUp ? STEP_UP : NO_TOKEN)
    }
  }
}

type SigningFetch = (credentials: McpCredentials, url: string | URL, init?: RequestInit) => Promise<Response>

/** Sends requests with the token, and with a DPoP proof if the token is bound to a key. */
function createSigningFetch(): SigningFetch {
  let session: ReturnType<typeof openDpopSession> | undefined
  let signedBy: string | undefined
  return async ({ tokens, key }, url, init) => {
    if (tokens === undefined) return await fetch(url, init)
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${tokens.access_token}`)
    if (key === undefined || tokens.token_type.toLowerCase() !== 'dpop') return await fetch(url, { ...init, headers })
    if (session === undefined || signedBy !== key.thumbprint) {
      session = openDpopSession(key)
      signedBy = key.thumbprint
    }
    const { withDpop } = await import('@modelcontextprotocol/client')
    return await withDpop(await session, () => tokens.access_token)(fetch)(url, { ...init, headers })
  }
}

const timedFetch: FetchLike = (url, init) => {
  const limit = AbortSignal.timeout(OAUTH_REQUEST_MS)
  return fetch(url, { ...init, signal: init?.signal == null ? limit : AbortSignal.any([init.signal, limit]) })
}
const oauthFetch = createLimitedFetch({ fetch: timedFetch, maxBytes: OAUTH_ANSWER_BYTES })

function unionOf(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap(scope => scope?.split(' ') ?? []).filter(word => word !== ''))
  return words.size === 0 ? undefined : [...words].join(' ')
}

function covers(granted: string | undefined, wanted: string): boolean {
  const words = new Set(granted?.split(' '))
  return wanted.split(' ').every(word => words.has(word))
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
