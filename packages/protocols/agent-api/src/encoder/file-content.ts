import type { FilePart } from '@parley/core'
import { fileUrlOf } from '@parley/encoders/kit'
import type { ContentValue } from '../protocol/content-value.ts'

/** A content type and its value. */
export type TypedValue =
  | { readonly type: 'image'; readonly value: ContentValue<'image'> }
  | { readonly type: 'audio'; readonly value: ContentValue<'audio'> }
  | { readonly type: 'video'; readonly value: ContentValue<'video'> }
  | { readonly type: 'file'; readonly value: ContentValue<'file'> }

/** Turns a file into content of the protocol. Inline data becomes a `data:` URL. */
export function fileContent(file: FilePart): TypedValue {
  const { mediaType, source, name } = file
  const url = fileUrlOf(file)
  const [family, format = null] = mediaType.split(/[/;]/)
  if (family === 'image') return { type: 'image', value: { image_url: url } }
  if (family === 'audio') return { type: 'audio', value: { data: url, format: format === '*' ? null : format } }
  if (family === 'video') return { type: 'video', value: { video_url: url } }
  const where = source.type === 'url' ? { file_url: url } : { file_data: url }
  return { type: 'file', value: { ...where, filename: name ?? null } }
}
