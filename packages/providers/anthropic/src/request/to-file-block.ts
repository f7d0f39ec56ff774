import type { FilePart } from '@parley/core'
import { concreteMediaType, type Refuse } from '@parley/provider-kit'

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/**
 * Converts a file to a content block. The API accepts images, PDF and plain text.
 * @throws `model-unsupported` for any other file.
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
    throw refuse(`The Messages API accepts images, PDF and text, not ${mediaType}.`)
  if (source.type === 'url')
    throw refuse(`The Messages API does not accept URLs of ${mediaType} files. Fetch the file and send its bytes.`)
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: decode(source.data) }, ...title }
}

function imageSource(mediaType: string, source: FilePart['source'], refuse: Refuse): Readonly<Record<string, unknown>> {
  if (source.type === 'url') return { type: 'url', url: source.url }
  const known = concreteMediaType(mediaType, source.data)
  if (!IMAGES.has(known)) throw refuse(`The Messages API accepts png, jpeg, gif and webp images, not ${mediaType}.`)
  return { type: 'base64', media_type: known, data: source.data }
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), character => character.charCodeAt(0)))
}
