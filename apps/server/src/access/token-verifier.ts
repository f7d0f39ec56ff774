import type { Clock } from '@parley/core'
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { Identity } from './client.ts'
import { toAccess } from './runs-access.ts'
import { checkAddress, checkTokenIssuer, type TokenIssuer } from './token-issuer.ts'

/** Only signatures whose key can be public. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** The longest scope or role. */
const MAX_LENGTH = 256
const MAX_ROLES = 100
/** Milliseconds within which the issuer must answer. */
const TIMEOUT_MS = 5_000

/**
 * Returns the client that a token identifies. `undefined` for a token that is invalid, expired, or from another issuer.
 * Rejects if the issuer's keys cannot be read.
 */
export type TokenVerifier = (token: string) => Promise<Identity | undefined>

/** Creates a verifier of tokens. @throws ParleyError `config-invalid` if an option of an issuer is invalid. */
export function createTokenVerifier(issuers: readonly TokenIssuer[], clock: Pick<Clock, 'now'>): TokenVerifier {
  const known = issuers.map((issuer, index) => ({ issuer, keys: keysOf(issuer, `tokens.${index}`) }))
  return async token => {
    const from = issuerOf(token)
    const found = known.find(({ issuer }) => issuer.issuer === from)
    if (found === undefined) return undefined
    const claims = await verify(token, { ...found, clock })
    return claims === undefined ? undefined : toIdentity(claims, found.issuer)
  }
}

/** The issuer that a token names. Not verified yet: it only selects the keys. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

interface Verification {
  readonly issuer: TokenIssuer
  readonly keys: JWTVerifyGetKey
  readonly clock: Pick<Clock, 'now'>
}

async function verify(
  token: string,
  { issuer: { issuer, audience, clockToleranceMs = 5_000 }, keys, clock }: Verification,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: clockToleranceMs / 1_000,
      currentDate: new Date(clock.now()),
    })
    return payload
  } catch (error) {
    if (isTokenFault(error)) return undefined
    throw error
  }
}

/** Whether the token is at fault, and not the way to the keys. */
function isTokenFault(error: unknown): boolean {
  const isAboutKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid
  const { code } = error as { readonly code?: unknown }
  // jose reports an answer other than 200 as a plain JOSEError with this code.
  return error instanceof errors.JOSEError && !isAboutKeys && code !== 'ERR_JOSE_GENERIC'
}

/** Reads the issuer's keys when a token needs them, and again for an unknown key, because issuers rotate keys. */
function keysOf(issuer: TokenIssuer, path: string): JWTVerifyGetKey {
  const address = checkTokenIssuer(issuer, path)
  const { jwksUrl, keysCooldownMs = 30_000 } = issuer
  const options = { cooldownDuration: keysCooldownMs, timeoutDuration: TIMEOUT_MS }
  if (jwksUrl !== undefined) return createRemoteJWKSet(address, options)
  let found: Promise<JWTVerifyGetKey> | undefined
  const discover = async (): Promise<JWTVerifyGetKey> => {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const document = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
    if (document.issuer !== issuer.issuer) throw new Error(`${address.href} belongs to another issuer`)
    return createRemoteJWKSet(checkAddress(String(document.jwks_uri), `${path}.issuer`), options)
  }
  return async (...header) => {
    found ??= discover()
    // A failed discovery is tried again with the next token.
    found.catch(() => (found = undefined))
    return (await found)(...header)
  }
}

/** `undefined` if the token names no usable scope: without one, the client would share a scope with others. */
function toIdentity(claims: JWTPayload, options: TokenIssuer): Identity | undefined {
  const { issuer, scopeClaim = 'sub', scopePrefix = `${issuer}|`, rolesClaim = 'roles', accessClaim } = options
  const scope = claimOf(claims, scopeClaim)
  if (typeof scope !== 'string' || scope.trim() === '' || scope.length > MAX_LENGTH) return undefined
  const name = `${issuer}|${claims.sub}`
  const access = accessClaim === undefined ? undefined : toAccess(claimOf(claims, accessClaim))
  const principal = { id: name, roles: rolesOf(claimOf(claims, rolesClaim)) }
  return { name, scope: `${scopePrefix}${scope}`, access, principal }
}

/** Reads a claim by its name, or else by its path. Names can contain dots, for example URLs. */
function claimOf(claims: JWTPayload, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}

function rolesOf(claim: unknown): string[] {
  const roles: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  const isRole = (role: unknown): role is string => typeof role === 'string' && role !== '' && role.length <= MAX_LENGTH
  return roles.filter(isRole).slice(0, MAX_ROLES)
}
