import type { HttpRequest } from '../transport/http-fetch.ts'

/** A request for a document, with a header of its own. */
export const getRequest: HttpRequest = {
  method: 'GET',
  headers: new Headers({ 'x-a': 'b' }),
  body: null,
  signal: new AbortController().signal,
  redirect: 'error',
  window: null,
}
