import { ParleyError } from '@parley/core'

/** Refuses a URL with a sentence that the model can act on. @throws ParleyError `url-refused`, always. */
export function refuseUrl(url: string | URL, reason: 'invalid' | 'forbidden', detail: string): never {
  throw new ParleyError({ code: 'url-refused', url: showUrl(url), reason, detail })
}

export interface UrlFailure {
  readonly detail: string
  readonly retryable: boolean
  readonly status?: number | undefined
}

/** Creates the error `url-failed`, to be thrown. */
export function failUrl(url: string | URL, { detail, retryable, status }: UrlFailure): ParleyError {
  return new ParleyError({
    code: 'url-failed',
    url: showUrl(url),
    detail,
    retryable,
    ...(status === undefined ? {} : { status }),
  })
}

/** Shows a URL on one line without its possibly secret parts: user name, password and query. Cuts a very long URL. */
function showUrl(url: string | URL): string {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined
  const plain =
    parsed === undefined ? withoutSecrets(String(url)) : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
  const shown = plain.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')
  return shown.length > 200 ? `${shown.slice(0, 200)}…`.toWellFormed() : shown.toWellFormed()
}

function withoutSecrets(text: string): string {
  const path = text.split(/[?#]/, 1)[0] ?? ''
  return `'${path.slice(0, 400).replace(/\/\/[^/]*@/, '//')}'`
}
