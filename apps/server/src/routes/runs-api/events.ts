import { SSE_HEADERS, toSseStream, type FrameStream } from '@parley/agent-api'
import { isEntryEvent, type RunEvent } from '@parley/core'
import { invalidParameter } from '../../problem/problem.ts'
import { integerOf } from './query-values.ts'
import { defineRunsRoute, recordOf, type RunsRequest } from './runs-route.ts'

/** The stream of a run's events. */
export const EVENT_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/runs/{id}/events',
    access: 'viewer',
    summary: 'Stream the events of a run, from the entry after `after` or `Last-Event-ID`, until the run has ended.',
    query: { after: 'integer' },
    answer: 'Events as RunEvent, then the event `end`.',
    handle: streamEvents,
  }),
]

/** The last frame: the run has ended, and every entry was sent. */
const END = 'event: end\ndata: {}\n\n'

async function streamEvents(request: RunsRequest): Promise<Response> {
  const { server, context } = request
  const { runId, scope } = await recordOf(request)
  const leave = new AbortController()
  const events = server.runtime.replay(runId, {
    scope,
    afterSeq: afterOf(request),
    ephemeral: true,
    signal: leave.signal,
  })
  const { keepAliveMs, readerTimeoutMs, clock } = server
  // Without this header, @hono/node-server delays the response to see whether the whole body is ready at once.
  const headers = { ...SSE_HEADERS, 'transfer-encoding': 'chunked' }
  return context.body(toSseStream(framesOf(events, leave), { keepAliveMs, readerTimeoutMs, clock }), 200, headers)
}

function afterOf(request: RunsRequest): number {
  const after = integerOf(request, 'after')
  if (after !== undefined) return after
  const text = request.context.req.header('last-event-id') ?? '0'
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalidParameter('Last-Event-ID: must be the number of an entry')
}

/** Events as server-sent events. A reader that leaves, or accepts no data, stops reading the run. */
function framesOf(events: AsyncIterable<RunEvent>, leave: AbortController): FrameStream {
  const source = events[Symbol.asyncIterator]()
  const done = { value: undefined, done: true } as const
  let isEnded = false
  const frames: FrameStream = {
    async next() {
      if (isEnded) return done
      const { value, done: isOver } = await source.next()
      if (isOver !== true) return { value: frameOf(value), done: false }
      isEnded = true
      return leave.signal.aborted ? done : { value: END, done: false }
    },
    return() {
      isEnded = true
      leave.abort()
      return Promise.resolve(done)
    },
    cut: () => leave.abort(),
    [Symbol.asyncIterator]: () => frames,
  }
  return frames
}

function frameOf(event: RunEvent): string {
  const id = isEntryEvent(event) ? `id: ${event.seq}\n` : ''
  return `${id}data: ${JSON.stringify(event)}\n\n`
}
