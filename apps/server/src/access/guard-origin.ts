import type { MiddlewareHandler } from 'hono'
import type { ServerEnv } from './client.ts'
import { Problem } from '../problem/problem.ts'

export interface GuardOriginOptions {
  /** Origins of web pages that the server accepts. `*` accepts every origin. */
  readonly corsOrigins: readonly string[]
  /** Host names the server accepts, without port. @default every name */
  readonly hosts?: readonly string[] | undefined
}

const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key, last-event-id, x-api-key, x-request-id'
const EXPOSED_HEADERS = 'x-request-id, retry-after, x-should-retry, x-vercel-ai-ui-message-stream'

/**
 * Rejects requests from web pages of other origins. A browser sends the page's origin in `Origin`. After DNS rebinding,
 * a page reaches a loopback server under the page's own host name, so the server also checks `Host`.
 */
export function guardOrigin({ corsOrigins, hosts }: GuardOriginOptions): MiddlewareHandler<ServerEnv> {
  const isAllowed = (origin: string): boolean => corsOrigins.includes('*') || corsOrigins.includes(origin)
  return async function guardRequestOrigin(context, next) {
    const host = context.req.header('host')
    if (hosts !== undefined && host !== undefined && !hosts.includes(hostName(host)))
      throw new Problem(403, 'PERMISSION_DENIED', {
        message: 'This server does not accept requests for this host name.',
      })
    const origin = context.req.header('origin')
    if (origin === undefined || isOwn(origin, host)) return next()
    if (!isAllowed(origin))
      throw new Problem(403, 'PERMISSION_DENIED', {
        message:
          'This server does not accept requests from web pages of this origin. Its operator allows origins with the option ' +
          '`corsOrigins`, or with the flag `--cors` of `parley serve`.',
      })
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
