import { setTimeout as sleep } from 'node:timers/promises'

/** What a client saw of its run. */
export interface ClientReport {
  /** The id that the server gave; `undefined` if the client gave up before it came. */
  readonly id: string | undefined
  /** Status of the terminal event; `undefined` if the client gave up before it came. */
  readonly status: string | undefined
  /** Longest time without an event, in milliseconds. */
  readonly longestMs: number
  /** How often the client lost its stream. */
  readonly losses: number
}

export interface ClientOptions {
  /** Tells a server that a request is a retry. */
  readonly key: string
  /** Returns the address of any server. */
  readonly url: () => string
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal
}

interface StreamEvent {
  readonly id?: string
  readonly object?: string
  readonly status?: string
  readonly sequence_number?: number
  readonly error?: { readonly code?: string }
}

const ENDS: ReadonlySet<unknown> = new Set(['completed', 'failed', 'canceled', 'cancelled', 'incomplete', 'rejected'])
const PAUSE_MS = 50

/** Starts a run and follows its stream until the terminal event. Resumes at another server whenever the stream is lost. */
export async function followRun({ key, url, signal }: ClientOptions): Promise<ClientReport> {
  let id: string | undefined
  let seen = -1
  let losses = 0
  let longestMs = 0
  let last = performance.now()
  const report = (status?: string): ClientReport => ({ id, status, longestMs, losses })
  while (!signal.aborted) {
    try {
      const response = await (id === undefined ? begin({ key, url, signal }) : resume({ id, seen, url, signal }))
      for await (const event of eventsOf(response)) {
        longestMs = Math.max(longestMs, performance.now() - last)
        last = performance.now()
        seen = event.sequence_number ?? seen
        if (event.object === 'response') id ??= event.id
        if (event.object === 'response' && ENDS.has(event.status)) return report(event.status)
      }
    } catch {
      // The server was killed.
    }
    losses++
    await sleep(PAUSE_MS)
  }
  return report()
}

async function begin({ key, url, signal }: ClientOptions): Promise<Response> {
  const body = JSON.stringify({ input: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }] })
  return checked(await fetch(`${url()}/process`, { method: 'POST', headers: { 'idempotency-key': key }, body, signal }))
}

interface Position extends Pick<ClientOptions, 'url' | 'signal'> {
  readonly id: string
  readonly seen: number
}

async function resume({ id, seen, url, signal }: Position): Promise<Response> {
  return checked(await fetch(`${url()}/process/${id}/events?starting_after=${seen}`, { signal }))
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  await response.body?.cancel()
  throw new Error(`status ${response.status}`)
}

async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const frames = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const line = frame.split('\n').find(each => each.startsWith('data: '))
      if (line !== undefined) yield JSON.parse(line.slice('data: '.length)) as StreamEvent
    }
  }
}
