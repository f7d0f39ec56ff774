import type { NetworkGuard } from './network-guard.ts'

export interface GuardedRequestOptions {
  /** Decides which addresses may be fetched. */
  readonly guard: NetworkGuard
  /** HTTP method. @default 'GET' */
  readonly method?: string | undefined
  /** Headers for the first origin. A redirect to another origin keeps only `accept` and `user-agent`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Body of the request. @default none */
  readonly body?: string | Uint8Array | undefined
  /** Maximum bytes of the response body, after decompression. The rest is not read. @default 5_000_000 */
  readonly maxBytes?: number | undefined
  /** Milliseconds for the whole request, redirects and body included. @default 30_000 */
  readonly timeoutMs?: number | undefined
  /** Whether to follow redirects. `manual` returns a redirect as the response. @default 'follow' */
  readonly redirect?: 'follow' | 'manual' | undefined
  /** Maximum number of redirects. Only a GET follows them. @default 5 */
  readonly maxRedirects?: number | undefined
  /** Decides from the content type whether to read the body. @default reads any body */
  readonly accepts?: ((contentType: string) => boolean) | undefined
  /** Aborting it aborts the request. @default none */
  readonly signal?: AbortSignal | undefined
}

/** The response to a guarded request. */
export interface GuardedResponse {
  /** The final URL after all redirects. */
  readonly url: string
  readonly status: number
  /** Media type in lower case, without parameters. Empty if the response has none. */
  readonly contentType: string
  /** The `charset` parameter of the content type. */
  readonly charset: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Whether the body was longer than `maxBytes`. */
  readonly truncated: boolean
}
