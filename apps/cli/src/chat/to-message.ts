import { readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import type { UserMessage, UserPart } from '@parley/core'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
}

/** Adds the files that a text names as `@path`: images and PDF documents as files, other files as text. */
export function toMessage(text: string): UserMessage {
  const paths = new Set(text.match(/(?<=^|\s)@\S+/g) ?? [])
  const files = [...paths].flatMap(word => partOf(word.slice(1)))
  return { role: 'user', content: [{ type: 'text', text }, ...files] }
}

/**
 * Returns the parts of a message for a file that the user named with @. Empty if no such file exists: the word, such as
 * a user name, then stays text.
 */
function partOf(path: string): readonly UserPart[] {
  const file = resolve(path)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return []
  const mediaType = MEDIA_TYPES[extname(file).toLowerCase()]
  const name = basename(file)
  if (mediaType === undefined)
    return [{ type: 'text', text: `<file name="${path}">\n${readFileSync(file, 'utf8')}\n</file>` }]
  return [{ type: 'file', mediaType, source: { type: 'base64', data: readFileSync(file, 'base64') }, name }]
}
