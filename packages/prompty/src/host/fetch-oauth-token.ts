import { ParleyError, readLimitedText } from '@parley/core'
import type { PromptyConnection } from '../format/prompty-agent.ts'

const LONGEST_ANSWER = 65_536

export interface OAuthOptions {
  readonly path: string
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Requests an access token with the client-credentials grant.
 * @throws ParleyError `config-invalid` if a field is missing, or the server sends no token. The error does not repeat the response,
 * which may contain the secret.
 */
export async function fetchOAuthToken(
  { clientId, clientSecret, tokenUrl, scopes }: PromptyConnection,
  { path, fetch = globalThis.fetch, signal }: OAuthOptions,
): Promise<string> {
  const refuse = (detail: string): never => {
    throw new ParleyError({ code: 'config-invalid', path, detail })
  }
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string' || typeof tokenUrl !== 'string')
    return refuse("a connection of kind 'oauth' requires clientId, clientSecret and tokenUrl.")
  if (!URL.canParse(tokenUrl)) return refuse(`tokenUrl '${tokenUrl}' must be a URL.`)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const scope = Array.isArray(scopes) ? scopes.filter(item => typeof item === 'string').join(' ') : scopes
  if (typeof scope === 'string' && scope !== '') body.set('scope', scope)
  const { host } = new URL(tokenUrl)
  const response = await ask(() => fetch(tokenUrl, { method: 'POST', body, signal: signal ?? null }))
  if (response === undefined) return refuse(`the token request to ${host} failed.`)
  const answer = await ask(async () => {
    const { text } = await readLimitedText(response, LONGEST_ANSWER)
    return JSON.parse(text) as { readonly access_token?: unknown } | null
  })
  const token = response.ok ? answer?.access_token : undefined
  return typeof token === 'string' ? token : refuse(`${host} sent no token (HTTP ${response.status}).`)

  async function ask<TAnswer>(question: () => Promise<TAnswer>): Promise<TAnswer | undefined> {
    try {
      return await question()
    } catch {
      signal?.throwIfAborted()
      return undefined
    }
  }
}
