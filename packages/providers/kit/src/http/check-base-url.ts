import { refuseOption } from '@parley/core'

/**
 * Parses the address of an API.
 * @param path Names the option in the error.
 * @throws ParleyError `config-invalid` if it is not an http or https address, or contains a user name or password.
 */
export function checkBaseUrl(baseUrl: string, path: string): URL {
  // `new URL('localhost:1')` succeeds: `localhost:` is then the scheme.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url !== undefined && (url.username !== '' || url.password !== ''))
    return refuseOption(path, 'must not contain a user name or password; send them in a header')
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return refuseOption(path, "is not an http or https address; give a full one, such as 'http://localhost:8080/v1'")
  return url
}
