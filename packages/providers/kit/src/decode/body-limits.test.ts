import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createHttp } from '../http/create-http.ts'
import { serve } from '../__fixtures__/serve.ts'
import { LONGEST_ANSWER, LONGEST_EVENT } from './body-limits.ts'
import type { BodyFormat } from './create-body-reader.ts'
import { createNdjsonParser } from './create-ndjson-parser.ts'
import { createSseParser } from './create-sse-parser.ts'

const MEBIBYTE = 1024 * 1024
const LINE = 'a'.repeat(MEBIBYTE)

/** Feeds text without end. Returns the error, and how many characters were read before it. */
function feedEndlessly(feed: (text: string) => void, text: string): { readonly error: unknown; readonly read: number } {
  for (let read = 0; read < 2 * LONGEST_EVENT; read += text.length) {
    try {
      feed(text)
    } catch (error) {
      return { error, read }
    }
  }
  throw new Error('the parser has no limit')
}

describe('a line or event without an end', () => {
  it.each([
    ['a line of server-sent events', createSseParser(() => {}).feed, LINE],
    ['an event of many data lines', createSseParser(() => {}).feed, `data: ${LINE}\n`],
    ['a line of NDJSON', createNdjsonParser(() => {}).feed, LINE],
  ])('a parser fails with model-stream once %s has more than 32 MiB', (_, feed, text) => {
    const { error, read } = feedEndlessly(feed, text)
    expect(error).toBeInstanceOf(ParleyError)
    expect(error).toMatchObject({ code: 'model-stream' })
    expect(read).toBeLessThanOrEqual(LONGEST_EVENT)
  })

  it('a parser accepts many lines that together have more than 32 MiB', () => {
    let lines = 0
    const parser = createNdjsonParser(() => (lines += 1))
    for (let line = 0; line < 40; line += 1) parser.feed(`${LINE}\n`)
    expect(lines).toBe(40)
  })
})

describe('an answer without an end', () => {
  it.each<[BodyFormat, string, { readonly piece: string; readonly limit: number }]>([
    ['sse', 'data: ', { piece: LINE, limit: LONGEST_EVENT }],
    ['sse', '', { piece: `data: ${LINE}\n`, limit: LONGEST_EVENT }],
    ['sse', '', { piece: `: ${LINE}\n\n`, limit: LONGEST_ANSWER }],
    ['sse', '{"choices":[', { piece: LINE, limit: LONGEST_ANSWER }],
    ['json', '{"choices":[', { piece: LINE, limit: LONGEST_ANSWER }],
    ['ndjson', '{"a":"', { piece: LINE, limit: LONGEST_EVENT }],
  ])(
    'a %s answer that starts with %j and never ends fails with model-stream, closes the connection and is not requested again',
    async (format, head, { piece, limit }) => {
      let sent = 0
      const left = Promise.withResolvers<void>()
      await using server = await serve(response => {
        response.on('close', left.resolve)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(head)
        const more = (): void => {
          while (!response.destroyed) {
            sent += piece.length
            if (!response.write(piece)) return void response.once('drain', more)
          }
        }
        more()
      })
      const http = createHttp({ provider: 'acme', baseUrl: server.url })
      const createDecoder = () => ({ event: () => 'open' as const, document: () => {}, end: () => {} })
      const read = async (): Promise<void> => {
        for await (const event of http.stream({ path: 'chat', format, createDecoder })) void event
      }
      await expect(read()).rejects.toMatchObject({ code: 'model-stream', info: { provider: 'acme' } })
      await left.promise
      expect(server.requests).toHaveLength(1)
      // The socket's buffers may hold a few chunks more.
      expect(sent).toBeLessThan(limit + 24 * MEBIBYTE)
    },
  )
})
