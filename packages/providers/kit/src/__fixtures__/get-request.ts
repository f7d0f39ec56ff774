import type { HttpRequest } from '../transport/http-fetch.ts'

/** A GET request with one header. */
export const getRequest: HttpRequest = {
  method: 'GET',
  headers: new Headers({ 'x-a': 'b' }),
  body: null,
  signal: new AbortController().signal,
  redirect: 'error',
  window: null,
}
