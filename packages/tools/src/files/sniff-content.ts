/** The kind of content that a file's first bytes indicate. */
export type Content =
  | { readonly type: 'text' }
  | { readonly type: 'image'; readonly mediaType: string }
  | { readonly type: 'binary'; readonly name: string }

/** How many bytes `sniffContent` inspects. */
export const SNIFF_BYTES = 8_192

/** The first bytes of known formats, as latin1. No text file starts with these sequences. */
const MAGIC: readonly (readonly [string, Content])[] = [
  ['\x89PNG\r\n\x1a\n', { type: 'image', mediaType: 'image/png' }],
  ['\xff\xd8\xff', { type: 'image', mediaType: 'image/jpeg' }],
  ['GIF87a', { type: 'image', mediaType: 'image/gif' }],
  ['GIF89a', { type: 'image', mediaType: 'image/gif' }],
  ['%PDF-', { type: 'binary', name: 'a PDF document' }],
  ['PK\x03\x04', { type: 'binary', name: 'a ZIP archive (or an office document, a jar or similar)' }],
  ['\x1f\x8b', { type: 'binary', name: 'gzip-compressed data' }],
  ['\x7fELF', { type: 'binary', name: 'a program' }],
  ['SQLite format 3\0', { type: 'binary', name: 'an SQLite database' }],
  ['\xff\xfe', { type: 'binary', name: 'text in UTF-16, which must be converted to UTF-8 first' }],
  ['\xfe\xff', { type: 'binary', name: 'text in UTF-16, which must be converted to UTF-8 first' }],
]

/** Classifies content by its start. Content is text if it starts like no known format and has no NUL byte near its start. */
export function sniffContent(start: Buffer): Content {
  const head = start.toString('latin1', 0, 16)
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return { type: 'image', mediaType: 'image/webp' }
  const known = MAGIC.find(([magic]) => head.startsWith(magic))
  if (known !== undefined) return known[1]
  return hasNul(start) ? { type: 'binary', name: 'binary data' } : { type: 'text' }
}

export function hasNul(start: Buffer): boolean {
  return start.subarray(0, SNIFF_BYTES).includes(0)
}
