import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** Settings of the tests' authorization server. */
export interface DeskBehaviour {
  /** OAuth error that the page returns. If `undefined`, the page grants access and returns a code. */
  refuses: string | undefined
  /** HTTP status of the answers to a refresh. */
  refreshStatus: number
}

/** Issues codes and tokens. */
export interface AuthorizationDesk {
  /** Returns the scope of a valid token. */
  scopeOf(token: string | undefined): string | undefined
  /** Invalidates every token issued so far. */
  expire(): void
  /** Serves the page that a user would see. The page agrees immediately. */
  authorize(url: URL, response: ServerResponse): void
  answerToken(form: URLSearchParams, authorization: string | undefined): readonly [number, object]
}

export interface AuthorizationDeskOptions {
  readonly seen: string[]
  readonly issuer: () => string
  readonly behaviour: DeskBehaviour
}

/** Creates the desk. It knows one client with a secret, `robot`, and accepts every other client with PKCE. */
export function createAuthorizationDesk({ seen, issuer, behaviour }: AuthorizationDeskOptions): AuthorizationDesk {
  const tokens = new Map<string, string>()
  const codes = new Map<string, { readonly challenge: string; readonly scope: string }>()
  const refreshes = new Set<string>()

  function grant(scope: string): object {
    const access = randomUUID()
    const refresh = randomUUID()
    tokens.set(access, scope)
    refreshes.add(refresh)
    return { access_token: access, token_type: 'Bearer', refresh_token: refresh, scope, expires_in: 3600 }
  }

  function refresh(used: string): readonly [number, object] {
    const { refreshStatus: status } = behaviour
    if (status !== 200) return [status, { error: status < 500 ? 'invalid_grant' : 'server_error' }]
    return refreshes.delete(used) ? [200, grant('read')] : [400, { error: 'invalid_grant' }]
  }

  return {
    scopeOf: token => (token === undefined ? undefined : tokens.get(token)),
    expire: () => tokens.clear(),
    authorize({ searchParams }, response) {
      const scope = searchParams.get('scope') ?? ''
      seen.push(`authorize ${scope}`)
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      back.searchParams.set('iss', issuer())
      if (behaviour.refuses === undefined) {
        const code = randomUUID()
        codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', scope })
        back.searchParams.set('code', code)
      } else back.searchParams.set('error', behaviour.refuses)
      response.writeHead(302, { location: back.href }).end()
    },
    answerToken(form, authorization) {
      const type = form.get('grant_type') ?? ''
      seen.push(`token ${type}`)
      if (type === 'client_credentials') {
        const right = authorization === `Basic ${Buffer.from('robot:secret').toString('base64')}`
        return right ? [200, grant(form.get('scope') ?? '')] : [401, { error: 'invalid_client' }]
      }
      if (type === 'refresh_token') return refresh(form.get('refresh_token') ?? '')
      const code = codes.get(form.get('code') ?? '')
      const verifier = form.get('code_verifier') ?? ''
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      return code?.challenge === challenge ? [200, grant(code.scope)] : [400, { error: 'invalid_grant' }]
    },
  }
}
