import { ParleyError, type Json } from '@parley/core'
import type { PropertyKind } from '../format/prompty-agent.ts'
import type { PromptyFiles } from '../format/prompty-files.ts'
import type { RichValue } from './parse-segments.ts'
import type { PromptyMessage, PromptyPart, PromptyRole } from '../format/prompty-message.ts'

export const RICH_KINDS: ReadonlySet<PropertyKind> = new Set(['thread', 'image', 'file', 'audio'])

const ROLES: readonly PromptyRole[] = ['system', 'user', 'assistant', 'developer', 'tool']
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
}

export interface RichInput {
  readonly name: string
  readonly kind: PropertyKind
  readonly value: unknown
}

export interface RichValueOptions {
  readonly files: PromptyFiles | undefined
  /** The path of the prompt. Relative paths start in its folder. */
  readonly path: string | undefined
}

/**
 * Reads the value of a rich input. A conversation is a list of messages. An image, file or sound is a URL, a `data:`
 * URL, `{ data, mediaType }`, or a path below the prompt's folder.
 * @throws ParleyError `config-invalid` if the value has another form, and what reading the file throws.
 */
export async function toRichValue({ name, kind, value }: RichInput, options: RichValueOptions): Promise<RichValue> {
  if (value === undefined || value === null || value === '') return { type: 'none' }
  if (kind === 'thread') return { type: 'thread', messages: toThread(value, `inputs.${name}`) }
  const media = kind as 'image' | 'file' | 'audio'
  return { type: 'part', part: await toPart(media, value, { ...options, name }) }
}

/** Reads messages in all their forms: content as a string or as parts, with the keys `kind` and `value`, or `type` and `text`. */
export function toThread(value: unknown, path: string): readonly PromptyMessage[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return refuse(path, 'must be a list of messages.')
  return value.map((message, index) => toPromptyMessage(message, `${path}[${index}]`))
}

function toPromptyMessage(value: unknown, path: string): PromptyMessage {
  if (!isRecord(value)) return refuse(path, 'must be a message: { role, content }.')
  const role = ROLES.find(name => name === value['role'])
  if (role === undefined)
    return refuse(`${path}.role`, `is ${JSON.stringify(value['role'])}; must be one of ${ROLES.join(', ')}.`)
  const { content = value['parts'], metadata, tool_calls, tool_call_id, name } = value
  const found = {
    ...(isRecord(metadata) ? metadata : {}),
    ...(tool_calls === undefined || tool_calls === null ? {} : { tool_calls }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
    ...(role === 'tool' && name !== undefined ? { name } : {}),
  } as Record<string, Json>
  return {
    role,
    content: toParts(content, `${path}.content`),
    ...(Object.keys(found).length === 0 ? {} : { metadata: found }),
  }
}

function toParts(content: unknown, path: string): readonly PromptyPart[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ kind: 'text', value: content }]
  if (!Array.isArray(content)) return refuse(path, 'must be a string or a list of parts.')
  return content.map((part: unknown, index): PromptyPart => {
    if (typeof part === 'string') return { kind: 'text', value: part }
    if (!isRecord(part)) return refuse(`${path}[${index}]`, 'must be a part of a message.')
    const kind = part['kind'] ?? part['type'] ?? 'text'
    const value = part['value'] ?? part['text'] ?? part['source'] ?? ''
    if (typeof value !== 'string') return refuse(`${path}[${index}]`, 'must have a string as its value.')
    const { mediaType } = part
    if (kind === 'text') return { kind, value }
    if (kind === 'image' || kind === 'file' || kind === 'audio')
      return { kind, value, ...(typeof mediaType === 'string' ? { mediaType } : {}) }
    return refuse(`${path}[${index}].kind`, `is ${JSON.stringify(kind)}; must be text, image, file or audio.`)
  })
}

type Media = 'image' | 'file' | 'audio'

async function toPart(
  kind: Media,
  value: unknown,
  { files, path, name }: RichValueOptions & { readonly name: string },
): Promise<PromptyPart> {
  if (isRecord(value)) {
    const { mediaType, path: filePath } = value
    const given = value['url'] ?? value['data'] ?? value['value'] ?? value['source']
    const type = typeof mediaType === 'string' ? { mediaType } : {}
    if (typeof given === 'string') return { kind, value: given, ...type }
    if (typeof filePath === 'string') return { ...(await toPart(kind, filePath, { files, path, name })), ...type }
  }
  if (typeof value !== 'string') return refuse(`inputs.${name}`, 'must be a URL, a path, or { data, mediaType }.')
  if (/^(https?|data):/i.test(value)) return { kind, value }
  if (files === undefined || path === undefined)
    return refuse(`inputs.${name}`, 'is a path, but no files can be read here. Use a URL or { data, mediaType }.')
  const bytes = await files.readReference(value, { from: path })
  const extension = value.slice(value.lastIndexOf('.') + 1).toLowerCase()
  return { kind, value: toBase64(bytes), mediaType: MEDIA_TYPES[extension] ?? 'application/octet-stream' }
}

const CHUNK = 0x8000

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) pieces.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return btoa(pieces.join(''))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
