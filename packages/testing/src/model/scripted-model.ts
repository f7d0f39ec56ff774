import {
  checkOptions,
  ParleyError,
  ZERO_USAGE,
  type Model,
  type ModelEvent,
  type ModelInfo,
  type ModelRequest,
  type OptionKinds,
} from '@parley/core'
import type { ScriptedAnswer, ScriptedCall, ScriptStep } from './script-step.ts'

/** A model that gives scripted answers and records its requests. */
export interface ScriptedModel extends Model {
  /** All requests so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/** The answers in order, or a function that returns the answer. `index` counts the calls of the model from 0. */
export type Script = readonly ScriptStep[] | ((request: ModelRequest, index: number) => ScriptStep)

/** Options of `scriptedModel`. */
export interface ScriptedModelOptions {
  /** Name of the provider. @default 'scripted' */
  readonly provider?: string | undefined
  /** Id of the model. @default 'script' */
  readonly id?: string | undefined
  /** Facts about the model. @default {} */
  readonly info?: ModelInfo | undefined
}

const OPTIONS: OptionKinds<ScriptedModelOptions> = {
  provider: 'string',
  id: 'string',
  info: 'object',
}

/**
 * Creates a model for tests. It keeps the contract of `Model`: it streams deltas, honors `signal`, and ends with one `finish` or
 * throws. A call beyond the end of the script throws `model-invalid-request`.
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  checkOptions('scriptedModel', options, OPTIONS)
  const { provider = 'scripted', id = 'script', info = {} } = options
  const requests: ModelRequest[] = []
  let callCount = 0
  const nextCallId = (): string => `call_${++callCount}`
  return {
    provider,
    id,
    info,
    requests,
    async *stream(request, { signal }) {
      const index = requests.push(request) - 1
      const step = typeof script === 'function' ? script(request, index) : script[index]
      if (step === undefined) {
        throw new ParleyError({
          code: 'model-invalid-request',
          provider,
          model: id,
          detail: `The script has no answer ${index + 1}.`,
        })
      }
      const answer = typeof step === 'string' ? { text: step } : step
      await pause(answer, signal)
      for (const event of eventsOf(answer, nextCallId)) {
        signal?.throwIfAborted()
        yield event
      }
      if (answer.error instanceof Error) throw answer.error
      if (answer.error !== undefined) throw new ParleyError(answer.error)
      if (answer.hang === true) await aborted(signal)
      const finish = answer.finish ?? (answer.toolCalls === undefined ? 'stop' : 'tool-calls')
      if (answer.events === undefined && finish !== 'none') yield { type: 'finish', reason: finish }
    },
  }
}

function* eventsOf(answer: ScriptedAnswer, nextCallId: () => string): Generator<ModelEvent> {
  const { reasoning = '', text = '', chunkSize = 8, toolCalls = [], usage, events } = answer
  if (events !== undefined) {
    yield* events
    return
  }
  for (const piece of pieces(reasoning, chunkSize)) yield { type: 'reasoning.delta', text: piece }
  for (const piece of pieces(text, chunkSize)) yield { type: 'text.delta', text: piece }
  for (const call of toolCalls) yield* callEvents(call, call.callId ?? nextCallId())
  yield { type: 'usage', usage: { ...ZERO_USAGE, input: 10, output: 5, ...usage } }
}

function* callEvents(
  { name, input = {}, arguments: text = JSON.stringify(input) }: ScriptedCall,
  callId: string,
): Generator<ModelEvent> {
  yield { type: 'tool-call.start', callId, name }
  yield { type: 'tool-call.delta', callId, delta: text }
  yield { type: 'tool-call', callId, name, arguments: text }
}

function* pieces(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size)
}

async function pause({ delayMs = 0, until }: ScriptedAnswer, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (delayMs <= 0 && until === undefined) return
  const delay = Promise.withResolvers<void>()
  const timer = setTimeout(delay.resolve, delayMs)
  try {
    await Promise.race([Promise.all([delay.promise, until]), aborted(signal)])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a promise that never resolves and rejects with the signal's reason. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason as Error)
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
