import { ParleyError } from '@parley/core'
import { Option, type Command } from 'commander'

type Access = 'viewer' | 'operator' | 'admin'

/** An API key as the server takes it. */
export interface ClientKey {
  readonly name: string
  readonly hash: string
  readonly scope: string
  /** What the client may do in the Runs API. @default nothing */
  readonly access?: Access | undefined
}

/** An issuer of tokens as the server takes it. */
export interface ClientIssuer {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl?: string | undefined
  readonly scopeClaim?: string | undefined
  readonly rolesClaim?: string | undefined
  readonly accessClaim?: string | undefined
}

/** The flags that identify the clients of a server by tokens. */
export interface TokenFlags {
  readonly jwtIssuer?: string
  readonly jwtAudience?: string
  readonly jwtKeys?: string
  readonly jwtScopeClaim?: string
  readonly jwtRolesClaim?: string
  readonly jwtAccessClaim?: string
}

/** Adds the flags of `TokenFlags`. Each one can also be an environment variable. */
export function withTokenFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--jwt-issuer <url>', 'OpenID issuer whose signed tokens identify clients').env('PARLEY_JWT_ISSUER'),
    )
    .addOption(new Option('--jwt-audience <name>', 'audience of the tokens').env('PARLEY_JWT_AUDIENCE'))
    .addOption(
      new Option('--jwt-keys <url>', "address of the issuer's public keys; by default it is discovered").env(
        'PARLEY_JWT_KEYS',
      ),
    )
    .addOption(
      new Option('--jwt-scope-claim <name>', "claim that names a client's scope; by default sub").env(
        'PARLEY_JWT_SCOPE_CLAIM',
      ),
    )
    .addOption(
      new Option('--jwt-roles-claim <name>', "claim with a client's roles; by default roles").env(
        'PARLEY_JWT_ROLES_CLAIM',
      ),
    )
    .addOption(
      new Option('--jwt-access-claim <name>', "claim with a client's access to the Runs API; by default none").env(
        'PARLEY_JWT_ACCESS_CLAIM',
      ),
    )
}

/** Returns the issuer of the flags. @throws ParleyError `config-invalid` if the issuer or the audience is missing. */
export function toTokenIssuers(flags: TokenFlags): readonly ClientIssuer[] {
  const {
    jwtIssuer: issuer,
    jwtAudience: audience,
    jwtKeys: jwksUrl,
    jwtScopeClaim,
    jwtRolesClaim,
    jwtAccessClaim,
  } = flags
  if (issuer === undefined) {
    if ([audience, jwksUrl, jwtScopeClaim, jwtRolesClaim, jwtAccessClaim].every(flag => flag === undefined)) return []
    return refuse('--jwt-issuer', 'is required with the other flags of tokens')
  }
  // Without an audience, tokens that the issuer made for other services would be accepted.
  if (audience === undefined) return refuse('--jwt-audience', 'is required with --jwt-issuer')
  return [
    { issuer, audience, jwksUrl, scopeClaim: jwtScopeClaim, rolesClaim: jwtRolesClaim, accessClaim: jwtAccessClaim },
  ]
}

/** A client's name, and the scope that it asks to share. */
const NAMED = /^([\w.-]+)(?:@([\w.-]+))?$/
const ACCESS = /:(viewer|operator|admin)$/
const MIN_LENGTH = 16

/**
 * Reads `PARLEY_API_KEYS`: entries `name:key` or `name@scope:key`, separated by commas, each with `:viewer`, `:operator` or `:admin`
 * after the key if the client may use the Runs API. A client's scope is its name, unless the entry names one. A key without a name has a scope of its own.
 * @throws ParleyError `config-invalid`.
 */
export function readKeys(text: string | undefined, hash: (key: string) => string): readonly ClientKey[] {
  const entries = (text ?? '').split(',').map(entry => entry.trim())
  return entries.filter(entry => entry !== '').map(entry => toKey(entry, hash))
}

function toKey(entry: string, hash: (key: string) => string): ClientKey {
  const end = entry.indexOf(':')
  const [, access] = (end === -1 ? undefined : ACCESS.exec(entry)) ?? []
  const key = entry.slice(end + 1, access === undefined ? undefined : -access.length - 1)
  const [, name, scope] = (end === -1 ? undefined : NAMED.exec(entry.slice(0, end))) ?? []
  if (end !== -1 && name === undefined)
    return refuse(
      'PARLEY_API_KEYS',
      'the name before a colon must have only letters, digits and ._-, and @scope after it',
    )
  if (key.length < MIN_LENGTH) {
    const detail = `every key must have at least ${MIN_LENGTH} random characters; one has ${key.length}`
    return refuse('PARLEY_API_KEYS', detail)
  }
  const hashed = hash(key)
  // Made from the key, so that the scope does not change with the order of the list.
  const known = name ?? `key-${hashed.slice(0, 12)}`
  const given = access === undefined ? {} : { access: access as Access }
  return { name: known, hash: hashed, scope: scope ?? known, ...given }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
