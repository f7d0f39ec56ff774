import type { FilePart, UserPart } from '@parley/core'
import { filePartOf, invalidRequest } from '@parley/encoders/kit'
import type { InputContent } from '../schema/agent-request.ts'

/**
 * Turns a part of a request into a part of a user message. `undefined` for a part without a value.
 * @throws ParleyError `request-invalid` if a file is given by its id only.
 */
export function toUserPart(content: InputContent, path: string): UserPart | undefined {
  switch (content.type) {
    case 'text':
      return textPart(content.text)
    case 'refusal':
      return textPart(content.refusal)
    case 'data':
      return content.data == null ? undefined : textPart(JSON.stringify(content.data))
    case 'image':
      return filePart(content.image_url, 'image/*')
    case 'video':
      return filePart(content.video_url, 'video/*')
    case 'audio':
      return filePart(content.data, `audio/${content.format ?? '*'}`, { bare: 'base64' })
    case 'file': {
      const { file_url: url, file_data: data, file_id: id, filename } = content
      const name = filename ?? undefined
      if (url == null && data == null && id != null) {
        throw invalidRequest(`${path}.file_id`, `requires file_url or file_data: the file '${id}' cannot be looked up`)
      }
      if (url == null) return filePart(data, 'application/octet-stream', { bare: 'base64', name })
      return filePart(url, 'application/octet-stream', { name })
    }
  }
}

function textPart(text: string | null | undefined): UserPart | undefined {
  return text == null || text === '' ? undefined : { type: 'text', text }
}

interface FileHints {
  /** How to read a value without a URL scheme. @default 'url' */
  readonly bare?: 'url' | 'base64'
  readonly name?: string | undefined
}

const URL_SCHEME = /^[a-z][a-z0-9+.-]*:/i

function filePart(
  value: string | null | undefined,
  mediaType: string,
  { bare = 'url', name }: FileHints = {},
): FilePart | undefined {
  if (value == null || value === '') return undefined
  if (bare === 'url' || URL_SCHEME.test(value)) return filePartOf(value, mediaType, name)
  const named = name === undefined ? {} : { name }
  return { type: 'file', mediaType, source: { type: 'base64', data: value }, ...named }
}
