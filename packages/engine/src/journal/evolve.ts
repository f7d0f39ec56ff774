import { addCost, addUsage, toolCallsOf, type AssistantMessage, type Entry, type EntryOf } from '@parley/core'
import { foldCompaction } from './overlay.ts'
import { foldChild } from './fold-child.ts'
import { foldHandoff } from './fold-handoff.ts'
import { foldRequest } from './fold-request.ts'
import { addModelUsage } from './add-model-usage.ts'
import { isProgress } from './is-progress.ts'
import { patchCall } from './patch-call.ts'
import { NO_RESUMES, type NextState, type RunState } from './run-state.ts'
import { toTranscript } from './repair-transcript.ts'

/** The state after one more entry. Pure and total: it accepts any entry in any state. */
export function evolve(state: RunState, entry: Entry): RunState {
  // One copy, into which the changes are written: V8 spreads a second object slowly (bench: tricks state-copy).
  const next: NextState = { ...state }
  advance(next, entry)
  return next
}

/** The state after these entries: the same as one `evolve` after the other, without the states in between. */
export function evolveAll(state: RunState, entries: readonly Entry[]): RunState {
  const next: NextState = { ...state }
  for (const entry of entries) advance(next, entry)
  return next
}

/** Writes an entry into a state that belongs to the caller. */
export function advance(next: NextState, entry: Entry): void {
  if (next.resumes.length > 0 && isProgress(entry)) next.resumes = NO_RESUMES
  if (entry.type === 'run.resumed') next.idleMs += Math.max(0, entry.at - next.at)
  next.seq = entry.seq
  next.at = entry.at
  fold(next, entry)
}

/** Writes what the entry changes into a copy of the state. */
function fold(next: NextState, entry: Entry): void {
  switch (entry.type) {
    case 'run.started':
      return foldStart(next, entry)
    case 'run.resumed':
      next.resumes = [...next.resumes, { at: entry.at, worker: entry.worker }]
      return
    case 'run.suspended':
    case 'request.kept':
      return
    case 'approval.requested':
    case 'approval.decided':
    case 'tool.requested':
    case 'tool.submitted':
      return foldRequest(next, entry)
    case 'message.appended':
      return foldMessage(next, entry)
    case 'input.queued':
    case 'input.dropped':
    case 'input.filtered':
      return foldInput(next, entry)
    case 'output.accepted':
      next.output ??= { value: entry.value }
      next.outputRejections = 0
      next.outputIssues = []
      return
    case 'output.rejected':
      next.outputRejections = entry.attempt
      next.outputIssues = entry.issues
      return
    case 'instructions.evaluated':
      next.evaluated = entry.text
      return
    case 'answer.discarded':
      next.discarded++
      return
    case 'model.called': {
      const { turn, finish, usage } = entry
      next.turn = turn
      next.finish = finish
      const { length, size } = next.transcript
      next.lastInput = { tokens: usage.input + usage.cacheRead + usage.cacheWrite, length, size }
      return addSpent(next, entry)
    }
    case 'model.failed': {
      const { turn, error } = entry
      next.turn = turn
      // A cancel or a limit interrupted the call: that is the cause of the run's end, not this failure.
      if (error.code !== 'cancelled') next.failure = error
      return addSpent(next, entry)
    }
    case 'run.failed':
      next.failure ??= entry.error
      return
    case 'tool.started': {
      const { attempt: attempts, effect } = entry
      next.calls = patchCall(next.calls, entry.callId, call => ({ ...call, attempts, effect }))
      return
    }
    case 'tool.ended':
      return foldToolResult(next, entry)
    case 'context.compacted':
      return foldCompaction(next, entry)
    case 'cancel.requested':
      next.cancel ??= entry.reason
      return
    case 'limit.reached':
      next.limit ??= entry.hit
      return
    case 'agent.started':
    case 'agent.suspended':
    case 'agent.ended':
      return foldChild(next, entry)
    case 'agent.changed':
      return foldHandoff(next, entry)
    case 'run.ended':
      next.outcome = entry.outcome
      return
  }
}

function foldStart(next: NextState, entry: EntryOf<'run.started'>): void {
  next.agent = entry.agent
  next.sessionId = entry.sessionId
  next.scope = entry.scope
  next.relation = entry.relation
  next.principal = entry.principal
  next.variables = entry.variables
  next.workspace = entry.workspace
  next.given = entry.context
  next.evaluated = undefined
  next.instructions = entry.instructions
  next.settings = entry.settings
  next.limits = entry.limits
  const { clientTools: tools, acceptClientTools: accepted = false, history } = entry
  next.clientTools = tools === undefined ? undefined : { tools, accepted }
  next.startedAt = entry.at
  if (history !== undefined) {
    const base = next.transcript.toArray()
    next.transcript = toTranscript(base.length === 0 ? history : [...base, ...history])
  }
  const { runStarts: before, floor } = next.context
  // The run that is compacted stays the current run of the session. V8 reserves spare slots for a spread (bench: tricks run-starts).
  const runStarts = entry.relation === 'compaction' ? before : before.concat([next.transcript.length])
  // A handoff hid this part from one agent; the new run starts with another one.
  next.context = { ...next.context, ...(floor > 0 ? { floor: 0, overlay: undefined } : {}), runStarts }
}

function foldInput(next: NextState, entry: EntryOf<'input.queued' | 'input.dropped' | 'input.filtered'>): void {
  switch (entry.type) {
    case 'input.queued': {
      const { queueId, kind, message } = entry
      next.queue = [...next.queue, { queueId, kind, message }]
      return
    }
    case 'input.dropped':
      next.queue = next.queue.filter(({ queueId }) => queueId !== entry.queueId)
      return
    case 'input.filtered': {
      const { source, verdict, filter, detail: reason } = entry
      if (verdict === 'reject' && source === 'input') next.rejection = { filter, reason }
    }
  }
}

function foldMessage(next: NextState, entry: EntryOf<'message.appended'>): void {
  const { message, queueId, source } = entry
  next.transcript = next.transcript.append(message)
  if (source === 'continue') {
    next.continued++
  } else if (message.role === 'assistant') {
    foldAnswer(next, message)
    if (next.limit !== undefined && source === 'model') next.afterLimit = 'answered'
  } else if (source === 'note') {
    next.afterLimit = 'noted'
  } else if (queueId !== undefined) {
    // A new user message makes the accepted output obsolete.
    next.continued = 0
    next.output = undefined
    next.outputRejections = 0
    next.queue = next.queue.filter(queued => queued.queueId !== queueId)
  }
}

function foldAnswer(next: NextState, message: AssistantMessage): void {
  const calls = toolCallsOf(message).map(call => ({
    call,
    attempts: 0,
    effect: undefined,
    approval: undefined,
    result: undefined,
  }))
  next.discarded = 0
  next.calls = calls.length > 0 ? calls : undefined
  if (calls.length > 0) next.continued = 0
}

function addSpent(next: NextState, { model, usage, cost }: EntryOf<'model.called' | 'model.failed'>): void {
  next.usage = addUsage(next.usage, usage)
  next.cost = addCost(next.cost, cost)
  next.models = addModelUsage(next.models, { model, calls: 1, usage, cost })
}

/** Appends the results to the transcript together, in call order, once the last one is recorded. */
function foldToolResult(next: NextState, entry: EntryOf<'tool.ended'>): void {
  const { callId, name, contextEdit, handoff } = entry
  const calls = patchCall(next.calls, callId, call => ({ ...call, result: entry.message }))
  next.calls = calls
  if (contextEdit !== undefined) next.edits = [...next.edits, { callId, name, edit: contextEdit }]
  if (handoff !== undefined) next.handoff ??= { ...handoff, callId }
  if (calls === undefined || calls.some(call => call.result === undefined)) return
  for (const { result } of calls) if (result !== undefined) next.transcript = next.transcript.append(result)
  next.calls = undefined
}
