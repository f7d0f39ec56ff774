import { ParleyError, type ErrorCode, type Model, type ModelEvent, type ModelInfo, type ModelRequest } from '@parley/core'

export const emptyRequest: ModelRequest = { system: [], messages: [], tools: [], settings: {} }

export function failure(code: Extract<ErrorCode, `model-${string}`> = 'model-overloaded', detail = ''): ParleyError {
  const fields = { provider: 'acme', detail }
  if (code === 'model-timeout') return new ParleyError({ code, ...fields, deadline: 'idle' })
  if (code === 'model-unknown') return new ParleyError({ code, model: 'acme', known: [] })
  return new ParleyError({ code, ...fields })
}

export interface ScriptedModel extends Model {
  readonly calls: ModelRequest[]
  readonly left: () => number
}

/** Creates a model that emits `events` in every call, then fails with `error` if given. */
export function scriptedModel(
  id: string,
  events: readonly ModelEvent[],
  { error, info = {} }: { readonly error?: unknown; readonly info?: ModelInfo } = {},
): ScriptedModel {
  const calls: ModelRequest[] = []
  let left = 0
  return {
    provider: 'acme',
    id,
    info,
    calls,
    left: () => left,
    async *stream(request) {
      calls.push(request)
      let ended = false
      try {
        yield* events
        ended = true
        if (error !== undefined) throw error
      } finally {
        if (!ended) left++
      }
    },
  }
}

export const say = (text: string): readonly ModelEvent[] => [
  { type: 'text.delta', text },
  { type: 'finish', reason: 'stop' },
]

export async function play(model: Model, request = emptyRequest, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, { signal })) events.push(event)
  return events
}
