import {
  describeError,
  ParleyError,
  toErrorInfo,
  toolCallsOf,
  type AssistantMessage,
  type ErrorInfo,
  type Model,
  type ModelCall,
  type ModelEvent,
} from '@parley/core'
import { assembleRequest } from './assemble-request.ts'
import { boundTokens, countTokens } from './bound-tokens.ts'
import { capturing } from '../../run-context/model-stream/capture-request.ts'
import { readStream } from '../../run-context/model-stream/read-stream.ts'
import { WatchedAnswer } from './watched-answer.ts'
import type { RunScope } from '../../run-context/run-scope.ts'
import type { Send } from '../../run-context/model-stream/send.ts'

export interface CallModelOptions {
  readonly turn: number
  /** Without tools. */
  readonly final: boolean
}

/** One model call: shows its deltas as they come, and records what came of it. */
export async function callModel(run: RunScope, { turn, final }: CallModelOptions): Promise<void> {
  const { journal, prepared, stopper } = run
  // What led here is on disk before anything is spent on it.
  const committing = journal.commit()
  if (committing !== undefined) await committing
  const answer = new WatchedAnswer(run, turn)
  run.context.newest.answer = answer
  run.emit({ type: 'model.started', turn, model: prepared.modelName })
  const limited = prepared.quotas.length > 0
  let request = assembleRequest(run, final)
  let broken: ErrorInfo | undefined
  try {
    if (limited) request = boundTokens(run, request)
    const call = { turn, request, signal: stopper.signal }
    await readStream(openStream(run, call), stopper, answer)
  } catch (error) {
    broken = modelError(error, run)
  }
  const overrun = limited ? countTokens(run, request, answer.builder.usage) : undefined
  broken ??= overrun
  recordAnswer(run, answer, { turn, final, broken })
}

function recordAnswer(
  run: RunScope,
  answer: WatchedAnswer,
  { turn, final, broken }: CallModelOptions & { readonly broken: ErrorInfo | undefined },
): void {
  const { journal, prepared } = run
  const { modelName: model } = prepared
  const { finish } = answer.builder
  if (finish === undefined || broken !== undefined) {
    journal.record({ type: 'model.failed', turn, model, error: broken ?? unfinished(run), ...answer.spent })
    return
  }
  const message = answer.builder.message(model, () => run.callIds)
  const { firstTokenMs } = answer
  const firstToken = firstTokenMs === undefined ? {} : { firstTokenMs }
  journal.record({ type: 'model.called', turn, model, finish, ...answer.spent, ...firstToken })
  if (isRetried(run, message, final)) journal.record({ type: 'answer.discarded', turn })
  else journal.record({ type: 'message.appended', source: 'model', message })
}

/** Whether the agent wants an answer that was cut off asked for again. */
function isRetried(run: RunScope, message: AssistantMessage, final: boolean): boolean {
  const { policy, attempts } = run.prepared.policy.truncation ?? {}
  if (message.finish !== 'length' || policy !== 'retry' || final) return false
  return run.state.discarded < (attempts ?? 0) && toolCallsOf(message).length === 0
}

/** A stream of the agent's model, or of `other`, inside the agent's middleware. Requests to `other` are never captured. */
export function openStream(run: RunScope, call: Omit<ModelCall, 'model'>, other?: Model): AsyncIterable<ModelEvent> {
  const { model: own, retry } = run.prepared.agent
  const model = other ?? own
  const plain: Send = ({ request, signal }) => model.stream(request, { signal, retry })
  const send = run.captures === 'none' || other !== undefined ? plain : capturing(run, call.turn, plain)
  return run.aroundModel === undefined ? send(call) : run.aroundModel(send)({ ...call, model })
}

function modelError(error: unknown, run: RunScope): ErrorInfo {
  if (run.stopper.stopped) return stopError(run)
  // Nobody has cancelled the run: whoever says so has failed.
  if (ParleyError.is(error, 'cancelled')) return { code: 'internal', detail: describeError(error.info) }
  if (ParleyError.is(error)) return error.info
  const { provider, id } = run.prepared.agent.model
  const info = toErrorInfo(error)
  return { code: 'model-stream', provider, model: id, detail: info.code === 'internal' ? info.detail : '' }
}

/** Why a call was cut short. */
export function stopError(run: RunScope): ErrorInfo {
  const { cancel, limit } = run.state
  return { code: 'cancelled', kind: cancel?.kind ?? (limit === undefined ? 'shutdown' : 'limit') }
}

function unfinished(run: RunScope): ErrorInfo {
  if (run.stopper.stopped) return stopError(run)
  const { provider, id } = run.prepared.agent.model
  return { code: 'model-stream', provider, model: id, detail: 'The stream ended without saying why the model stopped.' }
}
