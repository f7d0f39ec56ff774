import type { FilePart } from '@parley/core'
import type { ContentValue } from '../protocol/content-value.ts'

/** A part's type and value. */
export type TypedValue =
  | { readonly type: 'image'; readonly value: ContentValue<'image'> }
  | { readonly type: 'audio'; readonly value: ContentValue<'audio'> }
  | { readonly type: 'video'; readonly value: ContentValue<'video'> }
  | { readonly type: 'file'; readonly value: ContentValue<'file'> }

/** A file as a part of the protocol; bytes become a `data:` URL. */
export function fileContent({ mediaType, source, name }: FilePart): TypedValue {
  const url = source.type === 'url' ? source.url : `data:${mediaType};base64,${source.data}`
  const [family, format = null] = mediaType.split(/[/;]/)
  if (family === 'image') return { type: 'image', value: { image_url: url } }
  if (family === 'audio') return { type: 'audio', value: { data: url, format: format === '*' ? null : format } }
  if (family === 'video') return { type: 'video', value: { video_url: url } }
  const where = source.type === 'url' ? { file_url: url } : { file_data: url }
  return { type: 'file', value: { ...where, filename: name ?? null } }
}
