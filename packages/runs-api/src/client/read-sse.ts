import type { RunEvent } from '@parley/core'

/** The last event of a stream: the run has ended, and every entry was sent. */
export const STREAM_ENDED = 'end'

/** Reads server-sent events. Comments, which keep the connection open, are skipped. */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<RunEvent | typeof STREAM_ENDED, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const frames = `${rest}${decoder.decode(read.value, { stream: true })}`.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const event = readFrame(frame)
        if (event !== undefined) yield event
      }
    }
  } finally {
    // Leaving the loop early closes the connection. A stream that broke cannot be cancelled.
    await reader.cancel().catch(() => {})
  }
  return undefined
}

function readFrame(frame: string): RunEvent | typeof STREAM_ENDED | undefined {
  let data = ''
  for (const line of frame.split('\n')) {
    if (line === `event: ${STREAM_ENDED}`) return STREAM_ENDED
    if (line.startsWith('data: ')) data += line.slice(6)
  }
  return data === '' ? undefined : (JSON.parse(data) as RunEvent)
}
