import type { FilePart } from '@parley/core'

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/i

/**
 * Creates a file part from a URL. A base64 `data:` URL becomes inline data, and its own media type replaces
 * `mediaType`.
 */
export function filePartOf(url: string, mediaType: string, name?: string): FilePart {
  const named = name === undefined ? {} : { name }
  const prefix = DATA_URL.exec(url)
  if (prefix === null) return { type: 'file', mediaType, source: { type: 'url', url }, ...named }
  const data = url.slice(prefix[0].length)
  return { type: 'file', mediaType: prefix[1] || mediaType, source: { type: 'base64', data }, ...named }
}

/** Returns the URL of a file part. Inline data becomes a `data:` URL. */
export function fileUrlOf({ source, mediaType }: FilePart): string {
  return source.type === 'url' ? source.url : `data:${mediaType};base64,${source.data}`
}
