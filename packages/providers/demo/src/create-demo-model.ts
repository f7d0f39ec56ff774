import {
  checkOptions,
  messageText,
  ZERO_USAGE,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type OptionKinds,
} from '@parley/core'
import { nextStep } from './next-step.ts'

export interface DemoModelOptions {
  /** Milliseconds between words, so that a user can see the streaming. @default 0 */
  readonly wordDelayMs?: number | undefined
}

const OPTIONS: OptionKinds<DemoModelOptions> = {
  wordDelayMs: 'number',
}

/**
 * Creates a model that follows simple rules instead of thinking. It recognizes calculations and questions about files and
 * dates and calls the offered tools for them, turns given findings into a report, and otherwise describes itself. In all other respects it is a complete model: it
 * streams, calls tools, reports usage (one token for each word) and obeys `signal`.
 */
export function createDemoModel(options: DemoModelOptions = {}): Model {
  checkOptions('createDemoModel', options, OPTIONS)
  const { wordDelayMs = 0 } = options
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
    // The number is the position in the transcript, so an id is unique within a run and within a session.
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
