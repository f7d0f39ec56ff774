import { ParleyError } from '@parley/core'
import { parse } from 'yaml'
import {
  fieldsOf,
  type Fields,
  type OpenApiBody,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
} from './open-api-document.ts'
import { resolvePointer } from './resolve-pointer.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']
const MEDIA_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const

/**
 * Parses an OpenAPI 3 document in JSON or YAML. Skips operations without an `operationId` and operations that require a body
 * of an unsupported media type.
 * @throws ParleyError `config-invalid` if the text is not an OpenAPI 3 document or a `$ref` cannot be resolved.
 */
export function parseOpenApi(document: string | Fields): OpenApiDocument {
  const root = typeof document === 'string' ? parseText(document) : document
  const { openapi, info, paths, servers } = root
  if (typeof openapi !== 'string' || !openapi.startsWith('3.'))
    refuse('openapi', `is ${JSON.stringify(openapi ?? root['swagger'])}; must be version 3`)
  const operations = Object.entries(fieldsOf(paths) ?? {}).flatMap(([path, item]) => readPath(path, item, root))
  const title = fieldsOf(info)?.['title']
  return {
    root,
    title: typeof title === 'string' ? title : 'api',
    serverUrl: serverUrl(Array.isArray(servers) ? servers[0] : undefined),
    operations,
  }
}

function parseText(text: string): Fields {
  let value: unknown
  try {
    value = text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text, { maxAliasCount: 100 })
  } catch (cause) {
    return refuse('openapi', `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  return fieldsOf(value) ?? refuse('openapi', 'must be a mapping of keys')
}

function readPath(path: string, item: unknown, root: Fields): readonly OpenApiOperation[] {
  const fields = fieldsOf(resolvePointer(item, root)) ?? {}
  const shared = readParameters(fields['parameters'], root)
  return METHODS.flatMap(method => {
    const operation = fieldsOf(fields[method])
    const id = operation?.['operationId']
    if (operation === undefined || typeof id !== 'string' || id === '') return []
    const own = readParameters(operation['parameters'], root)
    const inherited = shared.filter(
      ({ name, in: place }) => !own.some(other => other.name === name && other.in === place),
    )
    const body = readBody(operation['requestBody'], root)
    if (body === 'unsupported') return []
    const { tags, summary, description } = operation
    const words = [summary, description].filter((text): text is string => typeof text === 'string' && text !== '')
    return {
      id,
      method: method.toUpperCase(),
      path,
      description: words.join('\n\n') || `${method.toUpperCase()} ${path}`,
      tags: Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : [],
      parameters: [...inherited, ...own],
      body,
    }
  })
}

function readParameters(list: unknown, root: Fields): readonly OpenApiParameter[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry): OpenApiParameter[] => {
    const {
      name,
      in: place,
      required,
      description,
      schema,
      content,
      style,
      explode,
    } = fieldsOf(resolvePointer(entry, root)) ?? {}
    if (typeof name !== 'string' || (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie'))
      return []
    const [media] = Object.values(fieldsOf(content) ?? {})
    const written = typeof style === 'string' ? style : 'form'
    return [
      {
        name,
        in: place,
        required: required === true || place === 'path',
        description: typeof description === 'string' ? description : undefined,
        schema: fieldsOf(schema ?? fieldsOf(media)?.['schema']) ?? {},
        style: written,
        explode: typeof explode === 'boolean' ? explode : written === 'form',
      },
    ]
  })
}

function readBody(value: unknown, root: Fields): OpenApiBody | 'unsupported' | undefined {
  const body = fieldsOf(resolvePointer(value, root))
  const content = fieldsOf(body?.['content'])
  if (content === undefined) return undefined
  for (const mediaType of MEDIA_TYPES) {
    const key = Object.keys(content).find(name => name === mediaType || name.startsWith(`${mediaType};`))
    const media = key === undefined ? undefined : fieldsOf(content[key])
    if (media !== undefined)
      return { required: body?.['required'] === true, mediaType, schema: fieldsOf(media['schema']) ?? {} }
  }
  return body?.['required'] === true ? 'unsupported' : undefined
}

function serverUrl(server: unknown): string | undefined {
  const { url, variables } = fieldsOf(server) ?? {}
  if (typeof url !== 'string') return undefined
  const defaults = fieldsOf(variables) ?? {}
  return url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const initial = Object.hasOwn(defaults, name) ? fieldsOf(defaults[name])?.['default'] : undefined
    return typeof initial === 'string' ? initial : whole
  })
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
