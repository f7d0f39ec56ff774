import {
  costOf,
  describeError,
  ParleyError,
  toErrorInfo,
  toolCallsOf,
  type AssistantMessage,
  type Cost,
  type ErrorInfo,
  type ModelCall,
  type ModelEvent,
  type Usage,
} from '@parley/core'
import { AnswerBuilder } from './answer-builder.ts'
import { assembleRequest } from './assemble-request.ts'
import { boundTokens, countTokens } from '../quota/bound-tokens.ts'
import { readStream } from './read-stream.ts'
import { OutputWatch } from '../output/output-watch.ts'
import type { EntryBody } from '../journal/run-journal.ts'
import type { RunScope } from '../run/run-scope.ts'

export interface CallModelOptions {
  readonly turn: number
  /** Without tools. */
  readonly final: boolean
}

/** One model call: shows its deltas as they come and returns the entries of what came of it. */
export async function callModel(run: RunScope, { turn, final }: CallModelOptions): Promise<readonly EntryBody[]> {
  const { clock, prepared, stopper } = run
  const answer = new AnswerBuilder()
  const startedAt = clock.now()
  let firstTokenAt: number | undefined
  const watch = prepared.output === undefined ? undefined : new OutputWatch(run, prepared.output, turn)
  run.emit({ type: 'model.started', turn, model: prepared.modelName })

  const show = (event: ModelEvent): void => {
    answer.add(event)
    if (firstTokenAt === undefined && (event.type.endsWith('.delta') || event.type === 'tool-call'))
      firstTokenAt = clock.now()
    // A retry is no piece of the answer: who watches from afar hears of it too.
    if (run.feed.watched || event.type === 'retry') showEvent(run, turn, event)
    if (run.feed.watched) watch?.add(event)
  }
  const spent = (): Spent => ({ durationMs: clock.now() - startedAt, ...priced(answer.usage, run) })
  const limited = prepared.quotas.length > 0
  let request = assembleRequest(run, final)
  try {
    if (limited) request = boundTokens(run, request)
    const call = { turn, request, signal: stopper.signal }
    await readStream(openStream(run, call), stopper, show)
  } catch (error) {
    if (limited) countTokens(run, request, answer.usage)
    return [{ type: 'model.failed', turn, model: prepared.modelName, error: modelError(error, run), ...spent() }]
  }
  const { finish } = answer
  const broken = limited ? countTokens(run, request, answer.usage) : undefined
  if (finish === undefined || broken !== undefined) {
    const error = broken ?? unfinished(run)
    return [{ type: 'model.failed', turn, model: prepared.modelName, error, ...spent() }]
  }
  const message = answer.message(prepared.modelName, () => run.callIds)
  const firstToken = firstTokenAt === undefined ? {} : { firstTokenMs: firstTokenAt - startedAt }
  return [
    { type: 'model.called', turn, model: prepared.modelName, finish, ...spent(), ...firstToken },
    isRetried(run, message, final)
      ? { type: 'answer.discarded', turn }
      : { type: 'message.appended', source: 'model', message },
  ]
}

/** Whether the agent wants an answer that was cut off asked for again. */
function isRetried(run: RunScope, message: AssistantMessage, final: boolean): boolean {
  const { policy, attempts } = run.prepared.policy.truncation ?? {}
  if (message.finish !== 'length' || policy !== 'retry' || final) return false
  return run.state.discarded < (attempts ?? 0) && toolCallsOf(message).length === 0
}

/** A stream of `model` inside the agent's middleware. */
export function openStream(
  run: RunScope,
  call: Omit<ModelCall, 'model'>,
  model = run.prepared.agent.model,
): AsyncIterable<ModelEvent> {
  if (run.aroundModel === undefined) return model.stream(call.request, { signal: call.signal })
  return run.aroundModel(({ request, signal }) => model.stream(request, { signal }))({ ...call, model })
}

interface Spent {
  readonly usage: Usage
  readonly cost?: Cost
  readonly durationMs: number
}

function priced(usage: Usage, run: RunScope): Pick<Spent, 'usage' | 'cost'> {
  const { pricing } = run.prepared.agent.model.info
  return pricing === undefined ? { usage } : { usage, cost: costOf(usage, pricing) }
}

/** What a watcher sees of a model's event; the parts it closes with are seen in the message. */
function showEvent(run: RunScope, turn: number, event: ModelEvent): void {
  switch (event.type) {
    case 'text.delta':
      run.emit({ type: 'text.delta', turn, text: event.text })
      break
    case 'reasoning.delta':
      run.emit({ type: 'reasoning.delta', turn, text: event.text })
      break
    case 'tool-call.start':
      run.emit({ type: 'tool-call.start', turn, callId: event.callId, name: event.name })
      break
    case 'tool-call.delta':
      run.emit({ type: 'tool-call.delta', turn, callId: event.callId, delta: event.delta })
      break
    case 'retry': {
      const { attempt, delayMs, error } = event
      run.emit({ type: 'model.retrying', turn, attempt, delayMs, error })
      break
    }
    case 'text.end':
    case 'reasoning.end':
    case 'tool-call':
    case 'file':
    case 'opaque':
    case 'usage':
    case 'finish':
      break
  }
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

function stopError(run: RunScope): ErrorInfo {
  const { cancel, limit } = run.state
  return { code: 'cancelled', kind: cancel?.kind ?? (limit === undefined ? 'shutdown' : 'limit') }
}

function unfinished(run: RunScope): ErrorInfo {
  if (run.stopper.stopped) return stopError(run)
  const { provider, id } = run.prepared.agent.model
  return { code: 'model-stream', provider, model: id, detail: 'The stream ended without saying why the model stopped.' }
}
