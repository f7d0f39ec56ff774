import { EventStreamCodec } from '@smithy/eventstream-codec'

/** The codec of AWS. */
export const eventStreamCodec = new EventStreamCodec(
  bytes => new TextDecoder().decode(bytes as Uint8Array),
  text => new TextEncoder().encode(text),
)

/** Encodes one message of an AWS event stream with the codec of AWS. */
export function frameOf(headers: Readonly<Record<string, string>>, payload: unknown): Uint8Array {
  return eventStreamCodec.encode({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]),
    ),
    body: new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload)),
  })
}

/** Converts server-sent events of Anthropic to the event stream that Bedrock sends. */
export function toEventStream(events: string): Uint8Array<ArrayBuffer> {
  const payloads = [...events.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data ?? '')
  return joinBytes(
    payloads.map(data =>
      frameOf(
        { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
        { bytes: Buffer.from(data).toString('base64'), p: 'abcd' },
      ),
    ),
  )
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
