import { ParleyError } from '@parley/core'

/** The base address of an engine, ending in a slash, so that paths below it can be resolved. */
export function engineUrl(baseUrl: string): URL {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new ParleyError({ code: 'config-invalid', path: 'baseUrl', detail: `'${baseUrl}' is no http or https URL` })
  }
  const url = new URL(baseUrl)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}
