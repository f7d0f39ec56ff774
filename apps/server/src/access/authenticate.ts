import type { MiddlewareHandler } from 'hono'
import { createKeyRing, type ApiKey } from './api-key.ts'
import type { Client, ServerEnv } from './client.ts'
import { Problem } from '../problem/problem.ts'

export interface AuthenticateOptions {
  readonly keys: readonly ApiKey[]
  /** The client of every request on a server without keys. */
  readonly anonymous: Client
}

/** Identifies the client. A server with keys requires a key in the header `Authorization: Bearer …` or `x-api-key`. */
export function authenticate({ keys, anonymous }: AuthenticateOptions): MiddlewareHandler<ServerEnv> {
  const find = createKeyRing(keys)
  return async function identifyClient(context, next) {
    if (keys.length === 0) context.set('client', anonymous)
    else {
      const [, bearer] = /^Bearer +(\S+)\s*$/i.exec(context.req.header('authorization') ?? '') ?? []
      const key = bearer ?? context.req.header('x-api-key')
      const client = key === undefined ? undefined : find(key)
      if (client === undefined) {
        const message = key === undefined ? 'An API key is required: Authorization: Bearer <key>.' : 'Unknown API key.'
        throw new Problem(401, 'UNAUTHORIZED', { message, headers: { 'www-authenticate': 'Bearer' } })
      }
      context.set('client', client)
    }
    await next()
  }
}
