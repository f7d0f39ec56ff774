import type { FilePart } from '@parley/core'

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/i

/** A file by its URL; a `data:` URL becomes bytes. */
export function filePartOf(url: string, mediaType: string, name?: string): FilePart {
  const named = name === undefined ? {} : { name }
  const bytes = DATA_URL.exec(url)
  if (bytes === null) return { type: 'file', mediaType, source: { type: 'url', url }, ...named }
  const data = url.slice(bytes[0].length)
  return { type: 'file', mediaType: bytes[1] || mediaType, source: { type: 'base64', data }, ...named }
}

/** The URL of a file; bytes become a `data:` URL. */
export function fileUrlOf({ source, mediaType }: FilePart): string {
  return source.type === 'url' ? source.url : `data:${mediaType};base64,${source.data}`
}
