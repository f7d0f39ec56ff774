import type { FilePart } from '@parley/core'
import { concreteMediaType } from '@parley/provider-kit'

/**
 * Converts a file to a part of a request. Google fetches URLs itself: public URLs, URLs of its Files API, and YouTube.
 */
export function toFilePart({ mediaType, source }: FilePart): Record<string, unknown> {
  if (source.type === 'base64')
    return { inlineData: { mimeType: concreteMediaType(mediaType, source.data), data: source.data } }
  return { fileData: { ...(mediaType.endsWith('/*') ? {} : { mimeType: mediaType }), fileUri: source.url } }
}
