import type { Clock } from '@parley/core'
import type { MiddlewareHandler } from 'hono'
import { createKeyRing, type ApiKey } from './api-key.ts'
import type { RunsAccess } from '@parley/runs-api'
import type { Identity, ServerEnv } from './client.ts'
import { lowerAccess } from './runs-access.ts'
import type { TokenIssuer } from './token-issuer.ts'
import { createTokenVerifier } from './token-verifier.ts'
import { Problem } from '../problem/problem.ts'
import type { ErrorOrigin } from '../state/server-context.ts'

export interface AuthenticateOptions {
  readonly keys: readonly ApiKey[]
  readonly tokens: readonly TokenIssuer[]
  /** The client of every request on a server without keys and tokens. */
  readonly anonymous: Identity
  /** The most that any client may do in the Runs API. */
  readonly access: RunsAccess | undefined
  readonly clock: Clock
  readonly onError: (error: unknown, origin: ErrorOrigin) => void
}

/** Three parts of base64url: the form of a signed token. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Identifies the client. A server with keys or tokens requires one of them in the header `Authorization: Bearer …`. A key may
 * also be in `x-api-key`.
 */
export function authenticate(options: AuthenticateOptions): MiddlewareHandler<ServerEnv> {
  const { keys, tokens, anonymous } = options
  const find = createKeyRing(keys)
  const verify = createTokenVerifier(tokens, options.clock)
  return async function identifyClient(context, next) {
    const requestId = context.get('requestId')
    const [, bearer] = /^Bearer +(\S+)\s*$/i.exec(context.req.header('authorization') ?? '') ?? []
    const given = bearer ?? context.req.header('x-api-key')
    let client: Identity | undefined
    if (keys.length + tokens.length === 0) client = anonymous
    else if (given !== undefined) {
      client = find(given)
      if (bearer !== undefined && TOKEN.test(bearer))
        client ??= await verify(bearer).catch(unavailable(options, requestId))
    }
    if (client === undefined) throw unauthorized(given !== undefined, tokens.length > 0)
    context.set('client', { ...client, access: lowerAccess(client.access, options.access), requestId })
    await next()
  }
}

/** The client learns only that it is not to blame. */
function unavailable({ onError }: AuthenticateOptions, requestId: string): (error: unknown) => never {
  return error => {
    onError(error, { requestId })
    const message = 'Tokens cannot be checked now. Try again later.'
    throw new Problem(503, 'SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '5' } })
  }
}

function unauthorized(isGiven: boolean, takesTokens: boolean): Problem {
  const headers = { 'www-authenticate': isGiven && takesTokens ? 'Bearer error="invalid_token"' : 'Bearer' }
  const message = isGiven
    ? 'The API key or token is unknown, invalid or expired.'
    : 'An API key or a token is required: Authorization: Bearer <key>.'
  return new Problem(401, 'UNAUTHORIZED', { message, headers })
}
