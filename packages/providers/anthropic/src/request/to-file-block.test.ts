import type { FilePart } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createRefuse } from '@parley/provider-kit'
import { toFileBlock } from './to-file-block.ts'

const file = (mediaType: string, data = 'AAAA', name?: string): FilePart => ({
  type: 'file',
  mediaType,
  source: { type: 'base64', data },
  ...(name === undefined ? {} : { name }),
})
const link = (mediaType: string): FilePart => ({
  type: 'file',
  mediaType,
  source: { type: 'url', url: 'https://files.example/1' },
})
const convert = (part: FilePart): unknown => toFileBlock(part, createRefuse({ provider: 'anthropic', model: 'm' }))

describe('toFileBlock', () => {
  it('toFileBlock converts images given by value and by URL', () => {
    const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    expect(convert(file('image/png'))).toEqual({ type: 'image', source: png })
    expect(convert(link('image/*'))).toEqual({ type: 'image', source: { type: 'url', url: 'https://files.example/1' } })
  })

  it('toFileBlock detects the type of an image with the media type image/*', () => {
    expect(convert(file('image/*', '/9j/4AAQ'))).toMatchObject({ source: { media_type: 'image/jpeg' } })
    expect(convert(file('image/*', 'zzzz'))).toMatchObject({ source: { media_type: 'image/png' } })
  })

  it('toFileBlock converts PDF and text to documents', () => {
    expect(convert(file('application/pdf', 'JVBE', 'a.pdf'))).toEqual({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
      title: 'a.pdf',
    })
    expect(convert(link('application/pdf'))).toMatchObject({ type: 'document', source: { type: 'url' } })
    expect(convert(file('text/csv', 'w6Q7Yg=='))).toEqual({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'ä;b' },
    })
  })

  it.each([file('audio/wav'), file('video/mp4'), file('image/tiff'), link('text/plain'), file('application/zip')])(
    'toFileBlock rejects a file of type $mediaType, which the API does not accept',
    part => {
      expect(() => convert(part)).toThrow(expect.objectContaining({ code: 'model-unsupported' }))
    },
  )
})
