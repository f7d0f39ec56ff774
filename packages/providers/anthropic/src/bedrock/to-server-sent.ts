import { fieldsOf, textOf, type HttpResponse } from '@parley/provider-kit'
import { createEventStreamParser, type EventStreamMessage } from './create-event-stream-parser.ts'

/**
 * Converts a response with an AWS event stream to the server-sent events that Anthropic sends. Returns other responses
 * unchanged. An exception of AWS becomes an `error` event whose type is the name of the exception.
 */
export function toServerSent(response: HttpResponse): HttpResponse {
  const { ok, status, headers, body } = response
  const isEventStream = headers.get('content-type')?.includes('vnd.amazon.eventstream') === true
  if (body === null || !isEventStream) return response
  return { ok, status, headers, body: { getReader: () => transcodingReader(body.getReader()) } }
}

type Reader = ReturnType<NonNullable<HttpResponse['body']>['getReader']>

function transcodingReader(source: Reader): Reader {
  const utf8 = new TextEncoder()
  let ready = ''
  const parser = createEventStreamParser(message => (ready += toEvent(message)))
  return {
    async read() {
      for (;;) {
        const { done, value } = await source.read()
        if (done) return { done: true, value: undefined }
        if (value !== undefined) parser.feed(value)
        if (ready === '') continue
        const events = utf8.encode(ready)
        ready = ''
        return { done: false, value: events }
      }
    },
    cancel: () => source.cancel(),
  }
}

/** Converts a message; `''` for a message without content, such as one that keeps the connection alive. */
function toEvent({ headers, payload }: EventStreamMessage): string {
  const text = new TextDecoder().decode(payload)
  const failure = headers[':exception-type'] ?? headers[':error-code']
  if (failure !== undefined) {
    const message = headers[':error-message'] ?? messageOf(text)
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: failure, message } })}\n\n`
  }
  const bytes = textOf(fieldsOf(parse(text))?.['bytes'])
  if (bytes === '') return ''
  const json = new TextDecoder().decode(Uint8Array.from(atob(bytes), character => character.charCodeAt(0)))
  return `data: ${json.replaceAll(/\r\n?|\n/g, '\ndata: ')}\n\n`
}

function messageOf(text: string): string {
  const fields = fieldsOf(parse(text)) ?? {}
  return textOf(fields['message']) || textOf(fields['Message']) || text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
