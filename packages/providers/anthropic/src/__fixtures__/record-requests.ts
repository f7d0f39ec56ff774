/** A request as the server receives it. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** Creates a `fetch` for our client and the official ones. It records each request and always returns the same response. */
export function recordRequests(body: string | Uint8Array<ArrayBuffer>, contentType: string, status = 200) {
  const requests: RecordedRequest[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body: sent } = init
    requests.push({ method, url: url instanceof Request ? url.url : url.toString(), headers: new Headers(headers), body: typeof sent === 'string' ? sent : '' })
    return new Response(body, { status, headers: { 'content-type': contentType } })
  }
  return { requests, fetch }
}
