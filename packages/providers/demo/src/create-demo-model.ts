import { messageText, ZERO_USAGE, type Message, type Model, type ModelEvent, type ModelRequest } from '@parley/core'
import { nextStep } from './next-step.ts'

export interface DemoModelOptions {
  /** Pause between words, so that streaming can be seen. @default 0 */
  readonly wordDelayMs?: number | undefined
}

/**
 * A model that follows simple rules instead of thinking: it recognises sums, questions about files and dates, uses
 * the tools it is offered for them, and says plainly what it is. Real in every other respect: it streams, calls
 * tools, counts tokens (as words) and honours `signal`.
 */
export function createDemoModel({ wordDelayMs = 0 }: DemoModelOptions = {}): Model {
  return {
    provider: 'demo',
    id: 'offline',
    info: { contextWindow: 128_000 },
    async *stream(request, { signal }) {
      signal?.throwIfAborted()
      yield* answer(request, wordDelayMs, signal)
    },
  }
}

async function* answer(
  request: ModelRequest,
  wordDelayMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent> {
  const step = nextStep(request)
  for (const text of step.say.match(/\S+\s*/g) ?? []) {
    if (wordDelayMs > 0) await pause(wordDelayMs, signal)
    signal?.throwIfAborted()
    yield { type: 'text.delta', text }
  }
  if (step.call !== undefined) {
    // A call's number is its place in the transcript, so that ids repeat neither in a run nor in a session.
    const callId = `demo_${request.messages.length}`
    const text = JSON.stringify(step.call.input)
    yield { type: 'tool-call.start', callId, name: step.call.name }
    yield { type: 'tool-call.delta', callId, delta: text }
    yield { type: 'tool-call', callId, name: step.call.name, arguments: text }
  }
  yield { type: 'usage', usage: { ...ZERO_USAGE, input: wordsOf(request.messages), output: words(step.say) } }
  yield { type: 'finish', reason: step.call === undefined ? 'stop' : 'tool-calls' }
}

function wordsOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + words(messageText(message)), 0)
}

function words(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
