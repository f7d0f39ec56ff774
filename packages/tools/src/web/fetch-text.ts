import { guardedRequest } from '../network/guarded-request.ts'
import type { GuardedResponse } from '../network/guarded-request-options.ts'
import type { NetworkGuard } from '../network/network-guard.ts'
import { decodeText } from './decode-text.ts'

export interface PageFetchOptions {
  readonly guard: NetworkGuard
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly userAgent: string
}

export interface FetchedText extends GuardedResponse {
  readonly text: string
}

/** Fetches a resource that can be read as text. @throws ParleyError `url-refused` or `url-failed`. */
export async function fetchText(url: string, options: PageFetchOptions, signal: AbortSignal): Promise<FetchedText> {
  const { userAgent, ...rest } = options
  const headers = { 'user-agent': userAgent, accept: 'text/html,text/*;q=0.9,application/json;q=0.9,*/*;q=0.1' }
  const response = await guardedRequest(url, { ...rest, headers, accepts: isText, signal })
  return { ...response, text: decodeText(response.body, response.charset) }
}

/** Returns whether a content type is textual. A response without a content type is read and checked later. */
function isText(contentType: string): boolean {
  if (contentType === '' || contentType.startsWith('text/')) return true
  return /^application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|javascript|ecmascript|x-ndjson|toml|sql|graphql|rtf|x-sh)$/.test(
    contentType,
  )
}
