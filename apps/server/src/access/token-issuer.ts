import { ParleyError } from '@parley/core'

/** A server whose signed tokens (JWT) identify clients, for example an OpenID provider. */
export interface TokenIssuer {
  /** Issuer of the tokens, exactly as in their claim `iss`. */
  readonly issuer: string
  /** Audience of this server. A token must name it in its claim `aud`. */
  readonly audience: string
  /**
   * Address of the issuer's public keys (JWKS). Must be HTTPS, except on loopback.
   * @default `jwks_uri` of the issuer's `/.well-known/openid-configuration`
   */
  readonly jwksUrl?: string | undefined
  /** Claim that names the client's scope. A dot leads into an object: `realm.tenant`. @default 'sub' */
  readonly scopeClaim?: string | undefined
  /**
   * Text before the value of `scopeClaim` in the scope. `''` shares scopes with API keys and other issuers that use the same
   * values.
   * @default the issuer and `|`, so that no other client has the scope
   */
  readonly scopePrefix?: string | undefined
  /** Claim with the client's roles: a list, or a text with spaces between them. @default 'roles' */
  readonly rolesClaim?: string | undefined
  /** Claim with the client's access to the Runs API: `viewer`, `operator` or `admin`. @default none: its clients have no access */
  readonly accessClaim?: string | undefined
  /** Milliseconds by which the issuer's clock may differ. @default 5_000 */
  readonly clockToleranceMs?: number | undefined
  /**
   * Milliseconds after a request for the keys in which a token with an unknown key is rejected without another request.
   * @default 30_000
   */
  readonly keysCooldownMs?: number | undefined
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Checks the options of an issuer and returns the address from which its keys are known.
 * @throws ParleyError `config-invalid`.
 */
export function checkTokenIssuer({ issuer, audience, jwksUrl }: TokenIssuer, path: string): URL {
  if (issuer === '') refuse(`${path}.issuer`, 'must not be empty')
  if (audience === '') refuse(`${path}.audience`, 'must not be empty')
  const field = jwksUrl === undefined ? 'issuer' : 'jwksUrl'
  const address = jwksUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return checkAddress(address, `${path}.${field}`)
}

/** Keys that arrive over an open network can be replaced on the way. @throws ParleyError `config-invalid`. */
export function checkAddress(address: string, path: string): URL {
  const url = URL.parse(address)
  if (url === null) return refuse(path, 'must be a URL, or jwksUrl must be given')
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))
  return isSafe ? url : refuse(path, 'must be an https: address')
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
