const IMAGE_STARTS: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/**
 * Returns the media type of a file. For `image/*` it is read from the first bytes; `image/png` if they are unknown.
 * @param base64 The bytes of the file.
 */
export function concreteMediaType(mediaType: string, base64: string): string {
  if (mediaType !== 'image/*') return mediaType
  return IMAGE_STARTS.find(([start]) => base64.startsWith(start))?.[1] ?? 'image/png'
}
