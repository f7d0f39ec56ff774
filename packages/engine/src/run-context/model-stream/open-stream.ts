import type { Model, ModelCall, ModelEvent } from '@parley/core'
import type { RunContext } from '../run-context.ts'
import { capturing } from './capture-request.ts'
import type { Send } from './send.ts'

/**
 * A stream of the agent's model, or of `other`, inside the agent's middleware. Requests to `other` are not captured: they
 * are not part of the conversation.
 */
export function openStream(run: RunContext, call: Omit<ModelCall, 'model'>, other?: Model): AsyncIterable<ModelEvent> {
  const { model: own, retry } = run.agent.definition
  const model = other ?? own
  const plain: Send = ({ request, signal }) => model.stream(request, { signal, retry })
  const send = run.prompt.captures === 'none' || other !== undefined ? plain : capturing(run, call.turn, plain)
  const { model: around } = run.middleware
  return around === undefined ? send(call) : around(send)({ ...call, model })
}
