import { encodeRun, type RunEncoder } from '@parley/encoders'
import { toSseStream } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import type { Context } from 'hono'
import type { ServerContext } from '../server-context.ts'

const SEPARATORS = /[\u0085\u2028\u2029]/g

export interface FrameOptions<TEvent> {
  readonly events: AsyncIterable<RunEvent>
  readonly encoder: RunEncoder<TEvent>
  readonly headers: Readonly<Record<string, string>>
  /** The name of an event, for protocols that give them one. @default none */
  readonly nameOf?: ((event: TEvent) => string) | undefined
  /** Sent after the last event. @default nothing */
  readonly last?: string | undefined
}

/** A run as the server-sent events of a protocol. The reader pulls; one that leaves leaves the run alone. */
export function answerFrames<TEvent>(
  context: Context,
  { keepAliveMs, clock }: ServerContext,
  options: FrameOptions<TEvent>,
): Response {
  const body = toSseStream(framesOf(options), { keepAliveMs, clock })
  return context.body(body, 200, { ...options.headers })
}

function framesOf<TEvent>({ events, encoder, nameOf, last }: FrameOptions<TEvent>): AsyncIterable<string> {
  // Reading begins now, not when the first frame is pulled.
  const encoded = encodeRun(events, encoder)
  let isLastSent = last === undefined
  const frames: AsyncIterator<string, undefined> = {
    async next() {
      const { value, done } = await encoded.next()
      if (done !== true) return { value: frameOf(value, nameOf?.(value)), done: false }
      if (isLastSent) return { value: undefined, done: true }
      isLastSent = true
      return { value: `data: ${last}\n\n`, done: false }
    },
    async return() {
      await encoded.return?.()
      return { value: undefined, done: true }
    },
  }
  return { [Symbol.asyncIterator]: () => frames }
}

function frameOf(event: unknown, name: string | undefined): string {
  const json = JSON.stringify(event).replace(
    SEPARATORS,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`
}
