import type { FilePart } from '@parley/core'

const IMAGE_STARTS: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** A file as a part on the wire. Addresses are fetched by Google: public ones, of its Files API, or of YouTube. */
export function toFilePart({ mediaType, source }: FilePart): Record<string, unknown> {
  if (source.type === 'base64')
    return { inlineData: { mimeType: concreteType(mediaType, source.data), data: source.data } }
  return { fileData: { ...(mediaType.endsWith('/*') ? {} : { mimeType: mediaType }), fileUri: source.url } }
}

function concreteType(mediaType: string, data: string): string {
  if (mediaType !== 'image/*') return mediaType
  return IMAGE_STARTS.find(([start]) => data.startsWith(start))?.[1] ?? 'image/png'
}
