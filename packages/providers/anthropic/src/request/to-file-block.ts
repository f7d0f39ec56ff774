import type { FilePart } from '@parley/core'
import type { Refuse } from '../refuse.ts'

const IMAGE_STARTS: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]
const IMAGES: ReadonlySet<string> = new Set(IMAGE_STARTS.map(([, mediaType]) => mediaType))

/**
 * A file as a content block: images, PDF and plain text.
 * @throws `model-unsupported` for what the API has no form for.
 */
export function toFileBlock({ mediaType, source, name }: FilePart, refuse: Refuse): Readonly<Record<string, unknown>> {
  if (mediaType.startsWith('image/')) return { type: 'image', source: imageSource(mediaType, source, refuse) }
  const title = name === undefined ? {} : { title: name }
  if (mediaType === 'application/pdf') {
    const pdf =
      source.type === 'url'
        ? { type: 'url', url: source.url }
        : { type: 'base64', media_type: mediaType, data: source.data }
    return { type: 'document', source: pdf, ...title }
  }
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json')
    throw refuse(`It reads images, PDF and text, not ${mediaType}.`)
  if (source.type === 'url') throw refuse(`It takes ${mediaType} files by value only, not by address.`)
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: decode(source.data) }, ...title }
}

function imageSource(mediaType: string, source: FilePart['source'], refuse: Refuse): Readonly<Record<string, unknown>> {
  if (source.type === 'url') return { type: 'url', url: source.url }
  const found = IMAGE_STARTS.find(([start]) => source.data.startsWith(start))?.[1]
  const known = mediaType === 'image/*' ? (found ?? 'image/png') : mediaType
  if (!IMAGES.has(known)) throw refuse(`It reads png, jpeg, gif and webp images, not ${mediaType}.`)
  return { type: 'base64', media_type: known, data: source.data }
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), character => character.charCodeAt(0)))
}
