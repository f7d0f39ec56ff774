import type { Json, Message, ModelCall, ModelEvent, ModelRequest, ViewPart } from '@parley/core'
import type { RunState } from '../journal/run-state.ts'
import type { RunScope } from '../run/run-scope.ts'

/** A stream of the agent's model inside its middleware, whose first request that reaches the model is captured. */
export function openCaptured(run: RunScope, call: Omit<ModelCall, 'model'>): AsyncIterable<ModelEvent> {
  const { model, retry } = run.prepared.agent
  let captured = false
  function send({ request, signal }: ModelCall): AsyncIterable<ModelEvent> {
    // A middleware that makes the call again is as little a new turn as a provider that does.
    const capturing = captured ? undefined : capture(run, call.turn, request)
    captured = true
    return capturing === undefined
      ? model.stream(request, { signal, retry })
      : streamAfter(capturing, () => model.stream(request, { signal, retry }))
  }
  return run.aroundModel === undefined ? send({ ...call, model }) : run.aroundModel(send)({ ...call, model })
}

/** Shows a request, and keeps it where that is wanted; undefined when nothing has to be waited for. */
function capture(run: RunScope, turn: number, request: ModelRequest): Promise<void> | undefined {
  const keeps = run.captures === 'keep'
  if (!keeps && !run.feed.wants('model.request')) return undefined
  const model = run.prepared.modelName
  const view = placesOf(request.messages, run.state)
  run.emit({ type: 'model.request', turn, model, request, view })
  if (!keeps) return undefined
  const { system, tools, toolChoice, settings } = request
  run.journal.record({
    type: 'request.kept',
    turn,
    model,
    system: system.map(part => ({ ...part })),
    view,
    tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: inputSchema as Record<string, Json> })),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    settings: { ...settings } as Record<string, Json>,
  })
  return run.journal.commit()
}

/** The messages as what they are of the log. One that a middleware or a policy has changed is written down. */
function placesOf(messages: readonly Message[], { transcript }: RunState): ViewPart[] {
  const places = new Map(transcript.toArray().map((message, index) => [message, index]))
  const parts: ViewPart[] = []
  for (const message of messages) {
    const place = places.get(message)
    const last = parts.at(-1)
    if (place === undefined) {
      if (last?.type === 'written') last.messages.push(message)
      else parts.push({ type: 'written', messages: [message] })
    } else if (last?.type === 'kept' && last.to === place) last.to += 1
    else parts.push({ type: 'kept', from: place, to: place + 1 })
  }
  return parts
}

async function* streamAfter(
  waited: Promise<void>,
  open: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void, undefined> {
  await waited
  yield* open()
}
