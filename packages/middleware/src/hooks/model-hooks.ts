import {
  toErrorInfo,
  type MiddlewareStages,
  type ModelCall,
  type ModelEvent,
  type ModelRequest,
  type RunFacts,
  type ToolCallPart,
} from '@parley/core'
import type { Hooks, ModelAnswer } from './hook-signatures.ts'
import type { ThrownHooks } from './watch-failures.ts'

type Next = (call: ModelCall) => AsyncIterable<ModelEvent>

/** Creates the model stage that calls the hooks around a model call. */
export function modelHooks(given: Hooks, run: RunFacts, thrown: ThrownHooks): NonNullable<MiddlewareStages['model']> {
  const { afterModel } = given
  return async function* (call, next) {
    // Set while a hook runs: if it throws, the mark stays.
    thrown.model = true
    const request = await toRequest(given, run, call.request)
    thrown.model = false
    const asked = request === call.request ? call : { ...call, request }
    const events =
      given.onError === undefined ? next(asked) : recovering(given.onError, run, { call: asked, next, thrown })
    if (afterModel === undefined) {
      yield* events
      return
    }
    const held: ModelEvent[] = []
    for await (const event of events) {
      if (event.type === 'retry') yield event
      else held.push(event)
    }
    const answer = answerOf(held)
    thrown.model = true
    const changed = answer === undefined ? undefined : await afterModel(answer, run)
    thrown.model = false
    yield* changed === undefined ? held : rewritten(held, changed)
  }
}

async function toRequest(given: Hooks, run: RunFacts, request: ModelRequest): Promise<ModelRequest> {
  const chosen = (await given.transformContext?.(request.messages, run)) ?? request.messages
  const messages = (await given.convertMessages?.(chosen, run)) ?? chosen
  const asked = messages === request.messages ? request : { ...request, messages }
  return (await given.beforeModel?.(asked, run)) ?? asked
}

/** Passes the stream on. If it fails before any output, does what the hook decides. */
async function* recovering(
  onError: NonNullable<Hooks['onError']>,
  run: RunFacts,
  { call, next, thrown }: { readonly call: ModelCall; readonly next: Next; readonly thrown: ThrownHooks },
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt++) {
    let shown = false
    try {
      for await (const event of next(call)) {
        shown ||= event.type !== 'retry' && event.type !== 'usage'
        yield event
      }
      return
    } catch (error) {
      if (shown || call.signal.aborted) throw error
      thrown.model = true
      const decision = await onError(toErrorInfo(error), attempt, run)
      thrown.model = false
      if (decision === undefined) throw error
      if (decision === 'retry') continue
      yield { type: 'text.delta', text: decision.text }
      yield { type: 'finish', reason: 'stop' }
      return
    }
  }
}

/** Returns the answer if the stream is complete. */
function answerOf(events: readonly ModelEvent[]): ModelAnswer | undefined {
  let text = ''
  const toolCalls: ToolCallPart[] = []
  let finish: ModelAnswer['finish'] | undefined
  for (const event of events) {
    if (event.type === 'text.delta') text += event.text
    if (event.type === 'tool-call') toolCalls.push(event)
    if (event.type === 'finish') finish = event.reason
  }
  return finish === undefined ? undefined : { text, toolCalls, finish }
}

/** Yields the events of the changed answer. Events other than text, tool calls and the finish stay. */
function* rewritten(events: readonly ModelEvent[], { text, toolCalls, finish }: ModelAnswer): Generator<ModelEvent> {
  yield* events.filter(({ type }) => !type.startsWith('text.') && !type.startsWith('tool-call') && type !== 'finish')
  if (text !== '') yield { type: 'text.delta', text }
  for (const call of toolCalls) {
    yield { type: 'tool-call.start', callId: call.callId, name: call.name }
    yield { type: 'tool-call.delta', callId: call.callId, delta: call.arguments }
    yield call
  }
  yield { type: 'finish', reason: finish }
}
