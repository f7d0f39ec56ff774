import {
  describeError,
  ParleyError,
  toErrorInfo,
  toolCallsOf,
  type AssistantMessage,
  type ErrorInfo,
} from '@parley/core'
import { answerFault } from './answer-fault.ts'
import { assembleRequest } from './assemble-request.ts'
import { checkContext } from './check-context.ts'
import { boundTokens, countTokens, readTotals } from './bound-tokens.ts'
import { readStream } from '../../run-context/model-stream/read-stream.ts'
import type { ActionOf } from '../../journal/decide.ts'
import { stopError } from '../../run-context/fail-run.ts'
import { openStream } from '../../run-context/model-stream/open-stream.ts'
import { WatchedAnswer } from './watched-answer.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** One model call: shows its deltas as they arrive, and records the answer or the failure. */
export function callModel(run: RunContext, action: ActionOf<'call-model'>): Promise<void> {
  // Fixed tools are not awaited: the promises would slow down each turn (bench: tricks fixed-tools).
  const renewing = run.tools.renew()
  return renewing === undefined ? call(run, action) : renewing.then(() => call(run, action))
}

async function call(run: RunContext, { turn, final }: ActionOf<'call-model'>): Promise<void> {
  const { journal, agent, stopper } = run
  // After a crash the journal explains what the call was for.
  const saving = journal.commit()
  if (saving !== undefined) await saving
  const limited = agent.quotas.length > 0
  // An unavailable store interrupts the run, as in every other step.
  const totals = limited ? await readTotals(run) : []
  // Reading the time is slow: what happens at one moment shares one time (bench: tricks shared-time).
  const startedAt = run.clock.now()
  const answer = new WatchedAnswer(run, turn, startedAt)
  for (const { name, error } of run.tools.takeOmitted()) run.emit({ type: 'tool.omitted', name, error })
  run.emit({ type: 'model.started', turn, model: agent.modelName }, startedAt)
  run.feed.answers.writing = answer
  let request = assembleRequest(run, final)
  let broken: ErrorInfo | undefined
  try {
    const checking = checkContext(run)
    if (checking !== undefined) await checking
    if (limited) request = boundTokens(run, request, totals)
    await readStream(openStream(run, { turn, request, signal: stopper.signal }), stopper, answer)
  } catch (error) {
    broken = modelError(error, run)
  }
  run.feed.answers.writing = undefined
  try {
    const overrun = limited ? countTokens(run, request, answer.builder.usage) : undefined
    broken ??= overrun
    recordAnswer(run, answer, { turn, final, broken })
    // Other large answers wait until this one is stored.
    if (answer.takesRoom) await journal.commit()
  } finally {
    answer.leaveRoom()
  }
}

interface Answered extends Pick<ActionOf<'call-model'>, 'turn' | 'final'> {
  readonly broken: ErrorInfo | undefined
}

function recordAnswer(run: RunContext, answer: WatchedAnswer, { turn, final, broken }: Answered): void {
  const { journal, agent } = run
  const { modelName: model } = agent
  const { finish } = answer.builder
  const endedAt = run.clock.now()
  const spent = answer.spentUntil(endedAt)
  if (finish === undefined || broken !== undefined) {
    journal.record({ type: 'model.failed', turn, model, error: broken ?? unfinished(run), ...spent }, endedAt)
    return
  }
  const message = answer.builder.message(
    model,
    () => run.prompt.callIds,
    name => run.tools.isOfClient(name),
  )
  const fault = answerFault(message, run.runtime.store !== undefined)
  if (fault !== undefined) {
    journal.record({ type: 'model.failed', turn, model, error: streamError(run, fault), ...spent }, endedAt)
    return
  }
  const { firstTokenMs } = answer
  const firstToken = firstTokenMs === undefined ? {} : { firstTokenMs }
  journal.record({ type: 'model.called', turn, model, finish, ...spent, ...firstToken }, endedAt)
  if (isRetried(run, message, final)) journal.record({ type: 'answer.discarded', turn }, endedAt)
  else journal.record({ type: 'message.appended', source: 'model', message }, endedAt)
}

/** Whether the agent's `onTruncated` discards a truncated answer and asks again. */
function isRetried(run: RunContext, message: AssistantMessage, final: boolean): boolean {
  const { policy, attempts } = run.agent.policy.truncation ?? {}
  if (message.finish !== 'length' || policy !== 'retry' || final) return false
  return run.state.discarded < (attempts ?? 0) && toolCallsOf(message).length === 0
}

function modelError(error: unknown, run: RunContext): ErrorInfo {
  if (run.stopper.stopped) return stopError(run.state)
  // The run was not cancelled, so this error is a fault of the provider or a middleware.
  if (ParleyError.is(error, 'cancelled')) return { code: 'internal', detail: describeError(error.info) }
  if (ParleyError.is(error)) return error.info
  const info = toErrorInfo(error)
  return streamError(run, info.code === 'internal' ? info.detail : '')
}

function unfinished(run: RunContext): ErrorInfo {
  if (run.stopper.stopped) return stopError(run.state)
  return streamError(run, 'The stream ended without a finish reason.')
}

function streamError(run: RunContext, detail: string): ErrorInfo {
  const { provider, id: model } = run.agent.definition.model
  return { code: 'model-stream', provider, model, detail }
}
