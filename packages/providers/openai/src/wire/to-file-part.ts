import { ParleyError, type FilePart } from '@parley/core'
import type { Quirks } from '../quirks/quirks.ts'

/** A file as a part of a user message on the wire. */
export type WireFilePart =
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: string } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } }

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}
const IMAGE_STARTS: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** @throws `model-unsupported` for what the wire has no form for. */
export function toFilePart({ mediaType, source, name }: FilePart, provider: string, quirks: Quirks): WireFilePart {
  const { imageUrls = true } = quirks
  const refuse = (detail: string): ParleyError => new ParleyError({ code: 'model-unsupported', provider, detail })
  if (mediaType.startsWith('image/')) {
    if (source.type === 'base64') return { type: 'image_url', image_url: { url: dataUrl(mediaType, source.data) } }
    if (!imageUrls) throw refuse('It takes images by value only, not by address. Fetch the image and send its bytes.')
    return { type: 'image_url', image_url: { url: source.url } }
  }
  if (source.type === 'url') throw refuse(`It takes ${mediaType} files by value only, not by address.`)
  const format = AUDIO_FORMATS[mediaType]
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: source.data, format } }
  if (mediaType.startsWith('audio/') || mediaType.startsWith('video/'))
    throw refuse(`It takes no ${mediaType}; audio must be wav or mp3.`)
  return { type: 'file', file: { filename: name ?? 'file', file_data: dataUrl(mediaType, source.data) } }
}

function dataUrl(mediaType: string, data: string): string {
  const known = IMAGE_STARTS.find(([start]) => data.startsWith(start))?.[1]
  return `data:${mediaType === 'image/*' ? (known ?? 'image/png') : mediaType};base64,${data}`
}
