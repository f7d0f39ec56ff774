import type { ModelScenario } from './model-scenario.ts'

/** How a server writes the responses of a scenario on the wire. */
export interface ScenarioWire {
  /**
   * The body of a successful response, in at least two parts. The first part ends after the first piece of text (or of
   * the tool call); the end of the answer is in a later part. With the endings `cut` and `stalled`, only the first part is
   * sent.
   */
  readonly body: (scenario: ModelScenario) => readonly (string | Uint8Array)[]
  /** The body of the 429 response, as the server writes it. */
  readonly error: string
  /** Headers of every response. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A `fetch` for a provider under test. */
export interface ScenarioServer {
  readonly fetch: typeof globalThis.fetch
  /** Resolves as soon as no request is open: each was answered in full, or was aborted, or its body was cancelled. */
  readonly idle: () => Promise<void>
}

/** Serves a scenario to a provider that takes a `fetch` option, without a network. */
export function createScenarioServer(scenario: ModelScenario, wire: ScenarioWire): ScenarioServer {
  const open = new Set<Promise<void>>()

  async function respond(signal: AbortSignal | null | undefined): Promise<Response> {
    const closing = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<never>()
    const close = (): void => {
      open.delete(closing.promise)
      closing.resolve()
    }
    open.add(closing.promise)
    const abort = (): void => {
      close()
      aborted.reject(signal?.reason)
    }
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort, { once: true })
    aborted.promise.catch(() => {})
    if (scenario.ending === 'silent') return aborted.promise
    if (signal?.aborted === true) return aborted.promise
    const body = bodyOf(scenario, wire, { aborted: aborted.promise, close })
    return new Response(body, { status: scenario.status, headers: { ...wire.headers } })
  }

  return {
    fetch: (_url, init) => respond(init?.signal),
    idle: async () => void (await Promise.all(open)),
  }
}

interface Connection {
  readonly aborted: Promise<never>
  readonly close: () => void
}

function bodyOf(scenario: ModelScenario, wire: ScenarioWire, { aborted, close }: Connection): ReadableStream {
  const encoder = new TextEncoder()
  const whole = scenario.status === 429 ? [wire.error] : wire.body(scenario)
  const parts = scenario.ending === 'complete' ? [...whole] : whole.slice(0, 1)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = parts.shift()
      if (part !== undefined) return controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part)
      if (scenario.ending === 'stalled') await aborted
      close()
      controller.close()
    },
    cancel: close,
  })
}
