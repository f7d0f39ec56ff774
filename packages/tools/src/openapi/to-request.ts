import type { Fields, OpenApiOperation, OpenApiParameter } from './open-api-document.ts'
import { fieldsOf } from './open-api-document.ts'
import type { OperationInput } from './input-schema-of.ts'

/** The HTTP request of a call. */
export interface OperationRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Builds the request of a call. Encodes every value for its place. */
export function toRequest(
  { path, body }: OpenApiOperation,
  input: OperationInput,
  { baseUrl, values }: { readonly baseUrl: string; readonly values: Fields },
): OperationRequest {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  let place = path
  for (const [name, parameter] of input.parameters) {
    const value = values[name]
    if (value === undefined || value === null) continue
    if (parameter.in === 'path') place = place.replaceAll(`{${parameter.name}}`, encodeSegment(plainText(value)))
    else if (parameter.in === 'query') addQuery(query, parameter, value)
    // A line end in a value would let the model inject another header.
    else if (parameter.in === 'header') headers[parameter.name] = plainText(value).replaceAll(/[\r\n]+/g, ' ')
    else cookies.push(`${encodeURIComponent(parameter.name)}=${encodeURIComponent(plainText(value))}`)
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ')
  const given = input.body === undefined ? undefined : values[input.body]
  if (body !== undefined && given !== undefined) headers['content-type'] = body.mediaType
  const search = query.toString()
  return {
    url: `${baseUrl.replace(/\/+$/, '')}${place}${search === '' ? '' : `?${search}`}`,
    headers,
    body: body === undefined || given === undefined ? undefined : encodeBody(body.mediaType, given),
  }
}

/** Encodes a path segment. URL parsers treat `.` and `..` as dot segments even if percent-encoded, which would lead to another path. */
function encodeSegment(text: string): string {
  const encoded = encodeURIComponent(text)
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded
}

function addQuery(query: URLSearchParams, { name, style, explode }: OpenApiParameter, value: unknown): void {
  const members = fieldsOf(value)
  if (Array.isArray(value)) {
    const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ','
    if (explode) for (const item of value) query.append(name, plainText(item))
    else query.append(name, value.map(plainText).join(separator))
  } else if (members === undefined) query.append(name, plainText(value))
  else if (style === 'deepObject')
    for (const [key, item] of Object.entries(members)) query.append(`${name}[${key}]`, plainText(item))
  else if (explode) for (const [key, item] of Object.entries(members)) query.append(key, plainText(item))
  else
    query.append(
      name,
      Object.entries(members)
        .flatMap(([key, item]) => [key, plainText(item)])
        .join(','),
    )
}

function encodeBody(mediaType: string, value: unknown): string {
  if (mediaType === 'text/plain') return plainText(value)
  const members = fieldsOf(value)
  if (mediaType !== 'application/x-www-form-urlencoded' || members === undefined) return JSON.stringify(value)
  const fields = Object.entries(members).map(([name, item]) => [name, plainText(item)] as const)
  return new URLSearchParams(Object.fromEntries(fields)).toString()
}

function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
