import { describe, expect, it } from 'vitest'
import { quirkProfiles } from '../quirks/quirk-profiles.ts'
import { toFilePart } from './to-file-part.ts'

const base64 = (mediaType: string, data = 'AAAA') =>
  ({ type: 'file', mediaType, source: { type: 'base64', data } }) as const
const url = (mediaType: string) =>
  ({ type: 'file', mediaType, source: { type: 'url', url: 'https://a.example/x' } }) as const
const convert = (part: Parameters<typeof toFilePart>[0], quirks = quirkProfiles.openai) =>
  toFilePart(part, 'acme', quirks)

describe('toFilePart', () => {
  it('toFilePart converts images given by value or by URL', () => {
    expect(convert(base64('image/png'))).toEqual({
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,AAAA' },
    })
    expect(convert(url('image/png'))).toEqual({ type: 'image_url', image_url: { url: 'https://a.example/x' } })
  })

  it('toFilePart detects the type of an image with the media type image/*', () => {
    expect(convert(base64('image/*', '/9j/AAAA'))).toMatchObject({
      image_url: { url: expect.stringContaining('image/jpeg') as string },
    })
  })

  it('toFilePart converts audio and documents', () => {
    expect(convert(base64('audio/mpeg'))).toEqual({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } })
    expect(convert({ ...base64('application/pdf'), name: 'a.pdf' })).toEqual({
      type: 'file',
      file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
    })
  })

  it('toFilePart rejects files that the API cannot represent', () => {
    const unsupported = expect.objectContaining({ code: 'model-unsupported' })
    expect(() => convert(url('application/pdf'))).toThrow(unsupported)
    expect(() => convert(base64('video/mp4'))).toThrow(unsupported)
    expect(() => convert(url('image/png'), quirkProfiles.ollama)).toThrow(unsupported)
  })
})
