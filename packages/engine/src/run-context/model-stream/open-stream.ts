import type { Model, ModelCall, ModelEvent, Json, Message, ModelRequest, ViewPart } from '@parley/core'
import type { RunState } from '../../journal/run-state.ts'
import type { RunContext } from '../run-context.ts'

/**
 * A stream of the agent's model, or of `other`, inside the agent's middleware. Requests to `other` are not captured,
 * because they are not part of the conversation.
 */
export function openStream(run: RunContext, call: Omit<ModelCall, 'model'>, other?: Model): AsyncIterable<ModelEvent> {
  const { model: own, retry } = run.agent.definition
  const model = other ?? own
  const plain: Send = ({ request, signal }) => model.stream(request, { signal, retry })
  const send = run.prompt.captures === 'none' || other !== undefined ? plain : capturing(run, call.turn, plain)
  const { model: around } = run.middleware
  return around === undefined ? send(call) : around(send)({ ...call, model })
}

/** Sends a request to a model. */
type Send = (call: Pick<ModelCall, 'request' | 'signal'>) => AsyncIterable<ModelEvent>

/** Returns `send`, but captures the first request of the turn. */
function capturing(run: RunContext, turn: number, send: Send): Send {
  let captured = false
  return call => {
    // A middleware that repeats the call, like a provider that retries, does not begin a new turn.
    const captures = captured ? undefined : capture(run, turn, call.request)
    captured = true
    // A run that is stopped now never reads the stream that waits for it. The next commit reports the error.
    captures?.catch(() => {})
    return captures === undefined ? send(call) : streamAfter(captures, () => send(call))
  }
}

/** Emits a request, and journals it if the run keeps its requests. `undefined` if nothing has to be awaited. */
function capture(run: RunContext, turn: number, request: ModelRequest): Promise<void> | undefined {
  const keeps = run.prompt.captures === 'keep'
  if (!keeps && !run.feed.wants('model.request')) return undefined
  const model = run.agent.modelName
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

/**
 * Returns the positions of the messages in the transcript. A message that a middleware or a policy changed is stored in
 * full.
 */
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
