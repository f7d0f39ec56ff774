import { ParleyError } from '@parley/core'
import { authorizeInBrowser, type OpenBrowser } from './authorize-in-browser.ts'
import { AuthorizationRequired, type AuthorizationChallenge } from './authorization-required.ts'
import { createDpopKey, openDpopSession } from './dpop-key.ts'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpAuth } from '../config/mcp-auth.ts'
import type { McpCredentials, McpTokenStore } from './mcp-token-store.ts'
import { isRefusal, renewTokens } from './renew-tokens.ts'

/** Keeps one server convinced that we may talk to it. */
export interface Authorizer {
  /**
   * A fetch whose requests carry the token, and which gets a new one where nobody has to be asked for it.
   * @throws AuthorizationRequired when a person has to be asked.
   */
  readonly fetch: FetchLike
  /**
   * Asks a person, one question at a time.
   * @throws ParleyError `mcp-auth-required` when there is nobody to ask, or the answer was no.
   */
  ask(needed: AuthorizationRequired, signal: AbortSignal): Promise<void>
  /** Forgets the tokens, and that a person said no. */
  reset(): Promise<void>
}

export interface AuthorizerOptions {
  readonly server: string
  readonly serverUrl: string
  readonly auth: Exclude<McpAuth, { grant: 'none' }>
  readonly tokenStore: McpTokenStore
  readonly openBrowser: OpenBrowser | undefined
  /** Milliseconds a person has. */
  readonly authTimeoutMs: number
}

const MAX_RENEWALS = 2
const OAUTH_REQUEST_MS = 30_000

export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { server, serverUrl, auth, tokenStore, openBrowser, authTimeoutMs } = options
  const key = `${auth.grant} ${auth.clientId ?? ''} ${serverUrl}`
  let refusal: ParleyError | undefined
  let asking: Promise<void> | undefined

  const required = (detail: string, cause?: unknown): ParleyError =>
    new ParleyError({ code: 'mcp-auth-required', server, detail }, { cause })

  const load = async (): Promise<McpCredentials> => (await tokenStore.read(key)) ?? {}

  async function loadWithKey(): Promise<McpCredentials> {
    const credentials = await load()
    if (auth.dpop !== true || credentials.key !== undefined) return credentials
    return { ...credentials, key: await createDpopKey() }
  }

  /** @returns Credentials with another token than the refused one. */
  function renew(need: AuthorizationChallenge, why: string): Promise<McpCredentials> {
    return tokenStore.exclusively(key, async () => {
      const credentials = await loadWithKey()
      const held = credentials.tokens?.access_token
      // Somebody else was faster.
      if (held !== undefined && held !== need.refused) return credentials
      const wider = need.scope !== undefined && !covers(credentials.tokens?.scope, need.scope)
      // A refresh cannot widen what was granted.
      const helpless = auth.grant === 'authorization-code' && wider && why === STEP_UP
      const renewed = helpless
        ? undefined
        : await renewTokens({ serverUrl, auth, credentials, need, fetch: oauthFetch }).catch((error: unknown) => {
            if (isRefusal(error)) throw new AuthorizationRequired(need, `${why}, and ${reasonOf(error)}`)
            throw error
          })
      if (renewed === undefined) throw new AuthorizationRequired(need, why)
      await tokenStore.write(key, renewed)
      return renewed
    })
  }

  async function ask({ need, message }: AuthorizationRequired, signal: AbortSignal): Promise<void> {
    if (refusal !== undefined) throw refusal
    const credentials = await loadWithKey()
    const held = credentials.tokens?.access_token
    if (held !== undefined && held !== need.refused) return
    if (auth.grant !== 'authorization-code') throw required(message)
    if (openBrowser === undefined) throw required(`${message}, and there is no browser to ask in`)
    try {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(authTimeoutMs)])
      const asked = { serverUrl, auth, credentials, need, fetch: oauthFetch, openBrowser, signal: patience }
      await tokenStore.write(key, await authorizeInBrowser(asked))
    } catch (error) {
      signal.throwIfAborted()
      // Whoever calls next must not be shown the same page again.
      refusal = required(isTimeout(error) ? `nobody agreed within ${authTimeoutMs} ms` : reasonOf(error), error)
      throw refusal
    }
  }

  return {
    fetch: createAuthorizedFetch({ load, renew }),
    ask(needed, signal) {
      return (asking ??= ask(needed, signal).finally(() => (asking = undefined)))
    },
    async reset() {
      refusal = undefined
      await tokenStore.write(key, { ...(await load()), tokens: undefined })
    },
  }
}

const STEP_UP = 'it wants more rights than were granted'
const NO_TOKEN = 'it wants to know who asks'

interface AuthorizedFetchOptions {
  readonly load: () => Promise<McpCredentials>
  readonly renew: (need: AuthorizationChallenge, why: string) => Promise<McpCredentials>
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
      const { access_token: refused, scope: granted } = credentials.tokens ?? {}
      const wanted = stepUp ? unionOf(granted, scope) : scope
      const need = { resourceMetadataUrl, scope: wanted, refused }
      if (renewals === MAX_RENEWALS) throw new AuthorizationRequired(need, 'it refuses every token it is shown')
      credentials = await renew(need, stepUp ? STEP_UP : NO_TOKEN)
    }
  }
}

type SigningFetch = (credentials: McpCredentials, url: string | URL, init?: RequestInit) => Promise<Response>

/** Puts the token on a request, with a proof where it is bound to a key. */
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

const oauthFetch: FetchLike = (url, init) => {
  const limit = AbortSignal.timeout(OAUTH_REQUEST_MS)
  return fetch(url, { ...init, signal: init?.signal == null ? limit : AbortSignal.any([init.signal, limit]) })
}

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
