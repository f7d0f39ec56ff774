import type { FilePart } from '@parley/core'
import { concreteMediaType, createRefuse } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'

/** A file in a user message of a request. */
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

/** Converts a file. @throws `model-unsupported` if the API cannot represent it. */
export function toFilePart({ mediaType, source, name }: FilePart, provider: string, quirks: Quirks): WireFilePart {
  const { imageUrls = true } = quirks
  const refuse = createRefuse({ provider })
  if (mediaType.startsWith('image/')) {
    if (source.type === 'base64') return { type: 'image_url', image_url: { url: dataUrl(mediaType, source.data) } }
    if (!imageUrls) throw refuse('This server does not accept image URLs. Fetch the image and send its bytes.')
    return { type: 'image_url', image_url: { url: source.url } }
  }
  if (source.type === 'url')
    throw refuse(`This server does not accept URLs of ${mediaType} files. Fetch the file and send its bytes.`)
  const format = AUDIO_FORMATS[mediaType]
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: source.data, format } }
  if (mediaType.startsWith('audio/') || mediaType.startsWith('video/'))
    throw refuse(`This server does not accept ${mediaType}; audio must be wav or mp3.`)
  return { type: 'file', file: { filename: name ?? 'file', file_data: dataUrl(mediaType, source.data) } }
}

function dataUrl(mediaType: string, data: string): string {
  return `data:${concreteMediaType(mediaType, data)};base64,${data}`
}
