import type { Context, Hono } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { notFound } from '../problem/problem.ts'

/** The files of a web page by their paths. `studioAssets` of `@parley/studio` reads them. */
export type PageAssets = ReadonlyMap<string, PageAsset>

/** A file of a web page. */
export interface PageAsset {
  readonly body: Uint8Array<ArrayBuffer>
  /** The body, compressed. */
  readonly gzip: Uint8Array<ArrayBuffer>
  /** Media type. */
  readonly type: string
}

/** The page may load only its own files, and no text can become a script. Pictures of messages are `data:` addresses. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PREFIX = '/studio/'

/**
 * Adds `/studio/`, the page of Parley Studio. Anyone may load the page; what it shows comes from routes that identify their
 * client.
 */
export function addStudioRoutes(app: Hono<ServerEnv>, assets: PageAssets): void {
  app.get('/studio', context => context.redirect(PREFIX))
  app.get(`${PREFIX}*`, context => {
    const path = context.req.path.slice(PREFIX.length)
    const asset = assets.get(path)
    if (asset !== undefined) {
      // The names of files below `assets` contain their digests.
      const isNamedByDigest = path.startsWith('assets/')
      return send(context, asset, isNamedByDigest ? 'public, max-age=31536000, immutable' : 'no-cache')
    }
    const page = assets.get('index.html')
    if (page === undefined || /\.\w+$/.test(path)) throw notFound('file')
    return send(context, page, 'no-cache')
  })
}

function send(context: Context<ServerEnv>, asset: PageAsset, cacheControl: string): Response {
  const isCompressed = (context.req.header('accept-encoding') ?? '').includes('gzip')
  return context.body(isCompressed ? asset.gzip : asset.body, 200, {
    'content-type': asset.type,
    'cache-control': cacheControl,
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  })
}
