import { addCost, addUsage, toolCallsOf, type Entry, type EntryOf, type Json, type ModelSettings } from '@parley/core'
import { compacted } from './overlay.ts'
import { evolveChildren } from './evolve-children.ts'
import { evolveHandoff } from './evolve-handoff.ts'
import { evolveRequests } from './evolve-requests.ts'
import { isProgress } from './is-progress.ts'
import { patchCall } from './patch-call.ts'
import { NO_RESUMES, type RunState } from './run-state.ts'
import { repairTranscript } from './repair-transcript.ts'
import { Transcript } from './transcript.ts'

/** The state after one more entry. Pure and total: it accepts any entry in any state. */
export function evolve(state: RunState, entry: Entry): RunState {
  const next = fold(state, entry)
  return next.resumes.length === 0 || !isProgress(entry) ? next : { ...next, resumes: NO_RESUMES }
}

function fold(state: RunState, entry: Entry): RunState {
  const { seq, at } = entry
  switch (entry.type) {
    case 'run.started':
      return { ...state, ...started(state, entry), seq, at }
    case 'run.resumed':
      return { ...state, idleMs: state.idleMs + Math.max(0, at - state.at), resumes: [...state.resumes, at], seq, at }
    case 'run.suspended':
    case 'request.kept':
      return { ...state, seq, at }
    case 'approval.requested':
    case 'approval.decided':
    case 'tool.requested':
    case 'tool.submitted':
      return { ...state, ...evolveRequests(state, entry), seq, at }
    case 'message.appended':
      return { ...state, ...appended(state, entry), seq, at }
    case 'input.queued': {
      const { queueId, kind, message } = entry
      return { ...state, queue: [...state.queue, { queueId, kind, message }], seq, at }
    }
    case 'input.dropped':
      return { ...state, queue: state.queue.filter(({ queueId }) => queueId !== entry.queueId), seq, at }
    case 'output.accepted':
      return { ...state, ...accepted(state, entry.value), seq, at }
    case 'output.rejected': {
      const { attempt: outputRejections, issues: outputIssues } = entry
      return { ...state, outputRejections, outputIssues, seq, at }
    }
    case 'answer.discarded':
      return { ...state, discarded: state.discarded + 1, seq, at }
    case 'input.filtered': {
      const { source, verdict, filter, detail: reason } = entry
      const rejects = verdict === 'reject' && source === 'input'
      return { ...state, rejection: rejects ? { filter, reason } : state.rejection, seq, at }
    }
    case 'model.called': {
      const { turn, finish, usage } = entry
      const lastInput = { tokens: usage.input + usage.cacheRead + usage.cacheWrite, length: state.transcript.length }
      return { ...state, turn, finish, lastInput, ...spent(state, entry), seq, at }
    }
    case 'model.failed': {
      const { turn, error } = entry
      // A cancel or a limit interrupted the call: that is the cause of the run's end, not this failure.
      const failure = error.code === 'cancelled' ? state.failure : error
      return { ...state, turn, failure, ...spent(state, entry), seq, at }
    }
    case 'run.failed':
      return { ...state, failure: state.failure ?? entry.error, seq, at }
    case 'tool.started': {
      const { attempt: attempts, effect } = entry
      return { ...state, calls: patchCall(state.calls, entry.callId, { attempts, effect }), seq, at }
    }
    case 'tool.ended':
      return { ...state, ...settled(state, entry), seq, at }
    case 'context.compacted':
      return { ...state, ...compacted(state, entry), seq, at }
    case 'cancel.requested':
      return { ...state, cancel: state.cancel ?? entry.reason, seq, at }
    case 'limit.reached':
      return { ...state, limit: state.limit ?? entry.hit, seq, at }
    case 'agent.started':
    case 'agent.suspended':
    case 'agent.ended':
      return { ...state, ...evolveChildren(state, entry), seq, at }
    case 'agent.changed':
      return { ...state, ...evolveHandoff(state, entry), seq, at }
    case 'run.ended':
      return { ...state, outcome: entry.outcome, seq, at }
  }
}

function started(state: RunState, entry: EntryOf<'run.started'>): Partial<RunState> {
  const { agent, sessionId, scope, relation, principal, variables, workspace, at: startedAt, history } = entry
  // The settings were checked when the run was started.
  const settings = entry.settings as ModelSettings | undefined
  const { instructions, clientTools: tools, acceptClientTools: accepted = false } = entry
  const clientTools = tools === undefined ? undefined : { tools, accepted }
  const facts = {
    agent,
    sessionId,
    scope,
    relation,
    principal,
    variables,
    workspace,
    instructions,
    settings,
    clientTools,
    startedAt,
  }
  let { transcript } = state
  if (history !== undefined) {
    const base = transcript.toArray()
    transcript = Transcript.from(repairTranscript(base.length === 0 ? history : [...base, ...history]))
  }
  const { runStarts: before } = state.context
  // The run that is compacted stays the current run of the session. V8 reserves spare slots for a spread (bench: tricks run-starts).
  const runStarts = relation === 'compaction' ? before : before.concat([transcript.length])
  // A handoff hid this part from one agent; the new run starts with another one.
  const context = state.context.floor > 0 ? { ...state.context, floor: 0, overlay: undefined } : state.context
  return { ...facts, transcript, context: { ...context, runStarts } }
}

function appended(state: RunState, entry: EntryOf<'message.appended'>): Partial<RunState> {
  const { message, queueId, source } = entry
  const transcript = state.transcript.append(message)
  if (source === 'continue') return { transcript, continued: state.continued + 1 }
  if (message.role === 'assistant') {
    const calls = toolCallsOf(message).map(call => ({
      call,
      attempts: 0,
      effect: undefined,
      approval: undefined,
      result: undefined,
    }))
    const afterLimit = state.limit !== undefined && source === 'model' ? 'answered' : state.afterLimit
    if (calls.length > 0) return { transcript, calls, afterLimit, discarded: 0, continued: 0 }
    return { transcript, calls: undefined, afterLimit, discarded: 0 }
  }
  if (source === 'note') return { transcript, afterLimit: 'noted' }
  if (queueId === undefined) return { transcript }
  // A new user message makes the accepted output obsolete.
  return {
    transcript,
    continued: 0,
    output: undefined,
    outputRejections: 0,
    queue: state.queue.filter(queued => queued.queueId !== queueId),
  }
}

function accepted({ output }: RunState, value: Json): Partial<RunState> {
  return { output: output ?? { value }, outputRejections: 0, outputIssues: [] }
}

function spent(state: RunState, entry: EntryOf<'model.called' | 'model.failed'>): Pick<RunState, 'usage' | 'cost'> {
  return { usage: addUsage(state.usage, entry.usage), cost: addCost(state.cost, entry.cost) }
}

/** Appends the results to the transcript together, in call order, once the last one is recorded. */
function settled(state: RunState, entry: EntryOf<'tool.ended'>): Partial<RunState> {
  const calls = patchCall(state.calls, entry.callId, { result: entry.message })
  const { callId } = entry
  const { name, contextEdit } = entry
  const edits = contextEdit === undefined ? state.edits : [...state.edits, { callId, name, edit: contextEdit }]
  const handoff = entry.handoff === undefined ? state.handoff : (state.handoff ?? { ...entry.handoff, callId })
  if (calls === undefined || calls.some(call => call.result === undefined)) return { calls, handoff, edits }
  let { transcript } = state
  for (const { result } of calls) if (result !== undefined) transcript = transcript.append(result)
  return { calls: undefined, transcript, handoff, edits }
}
