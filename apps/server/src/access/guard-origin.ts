import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem/problem.ts'
import type { ServerEnv } from './server-env.ts'

export interface GuardOriginOptions {
  /** Web pages of these origins may use the server; `*` allows every origin. */
  readonly corsOrigins: readonly string[]
  /** Names the server answers to, without port; undefined for any. */
  readonly hosts?: readonly string[] | undefined
}

const ALLOWED_HEADERS = 'authorization, content-type, last-event-id, x-api-key, x-request-id'
const EXPOSED_HEADERS = 'x-request-id, retry-after, x-vercel-ai-ui-message-stream'

/**
 * Keeps web pages of others out: a browser names the page a request comes from, and one that reached a loopback server by
 * a name of its own (DNS rebinding) also gives that name as the host.
 */
export function guardOrigin({ corsOrigins, hosts }: GuardOriginOptions): MiddlewareHandler<ServerEnv> {
  const isAllowed = (origin: string): boolean => corsOrigins.includes('*') || corsOrigins.includes(origin)
  return async function guardRequestOrigin(context, next) {
    const host = context.req.header('host')
    if (hosts !== undefined && host !== undefined && !hosts.includes(hostName(host)))
      throw new Problem(403, 'PERMISSION_DENIED', { message: 'This server does not answer to that host name.' })
    const origin = context.req.header('origin')
    if (origin === undefined || isOwn(origin, host)) return next()
    if (!isAllowed(origin))
      throw new Problem(403, 'PERMISSION_DENIED', { message: 'Web pages of that origin may not use this server.' })
    context.header('access-control-allow-origin', origin)
    context.header('access-control-expose-headers', EXPOSED_HEADERS)
    context.header('vary', 'origin')
    if (context.req.method !== 'OPTIONS') return next()
    context.header('access-control-allow-methods', 'GET, POST, DELETE, OPTIONS')
    context.header('access-control-allow-headers', ALLOWED_HEADERS)
    context.header('access-control-max-age', '600')
    return context.body(null, 204)
  }
}

function isOwn(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}
