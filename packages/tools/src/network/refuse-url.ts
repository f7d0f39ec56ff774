import { ParleyError } from '@parley/core'

/** Says no to a URL, in words the model can act on. */
export function refuseUrl(url: string | URL, reason: 'invalid' | 'forbidden', detail: string): never {
  throw new ParleyError({ code: 'url-refused', url: showUrl(url), reason, detail })
}

export interface UrlFailure {
  readonly detail: string
  readonly retryable: boolean
  readonly status?: number | undefined
}

export function failUrl(url: string | URL, { detail, retryable, status }: UrlFailure): ParleyError {
  return new ParleyError({
    code: 'url-failed',
    url: showUrl(url),
    detail,
    retryable,
    ...(status === undefined ? {} : { status }),
  })
}

/** A URL without what may be secret in it (user name, password, query), on one line, cut when it is very long. */
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
