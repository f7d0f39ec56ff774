import { expect, it } from 'vitest'
import { createLimitedFetch } from './create-limited-fetch.ts'

const encoder = new TextEncoder()

/** Reads a body of these pieces with a limit of 100 bytes. `left` resolves once the rest is left unread. */
async function read(pieces: Iterable<string>, contentType: string) {
  const left = Promise.withResolvers<void>()
  const source = pieces[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = source.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => left.resolve(),
  })
  let tooLong = 0
  const fetch = createLimitedFetch({
    fetch: async () => new Response(body, { headers: { 'content-type': contentType } }),
    maxBytes: 100,
    onTooLong: () => (tooLong += 1),
  })
  const response = await fetch('http://a.b/')
  const text = await response.text().catch((error: Error) => error.message)
  return { text, tooLong, left: left.promise }
}

function* endless(piece: string): Generator<string> {
  for (;;) yield piece
}

it.each([
  ['a document', 'application/json', 'aaaaaaaaaa'],
  ['a line of an event stream', 'text/event-stream', 'aaaaaaaaaa'],
  ['an event of many lines', 'text/event-stream; charset=utf-8', 'data: a\n'],
  ['an event of lines that end with CRLF', 'text/event-stream', 'data: a\r\n'],
])('a limited fetch fails and leaves the connection once %s is too long', async (_, contentType, piece) => {
  const { text, tooLong, left } = await read(endless(piece), contentType)
  expect([text, tooLong]).toEqual(['the server sent a message of more than 100 bytes', 1])
  await left
})

it.each(['\n\n', '\r\n\r\n', '\r\r'])(
  'a limited fetch passes a stream of short events that is longer than the limit (%j)',
  async end => {
    const pieces = Array.from({ length: 50 }, (_, index) => `data: ${index}${end}`)
    const { text, tooLong } = await read(pieces, 'text/event-stream')
    expect([text, tooLong]).toEqual([pieces.join(''), 0])
  },
)

it('a limited fetch measures every event of a chunk', async () => {
  const long = `data: 1\n\ndata: ${'a'.repeat(200)}\n\ndata: 2\n\n`
  expect(await read([long], 'text/event-stream')).toMatchObject({ tooLong: 1 })
})
