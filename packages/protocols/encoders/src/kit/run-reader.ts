import {
  addCost,
  addUsage,
  isEntryEvent,
  toErrorInfo,
  ZERO_USAGE,
  type Entry,
  type EntryOf,
  type Outcome,
  type RunEvent,
} from '@parley/core'
import { publicResult } from './public-result.ts'
import type { RunEnding, RunSpend, RunStep } from './run-step.ts'

/** Converts the events of one run to steps. Ignores events of other runs, such as child runs. */
export class RunReader {
  /** Calls that the client executes, and whether it has submitted their results. */
  readonly #clientCalls = new Map<string, 'pending' | 'submitted'>()
  readonly #now: () => number
  #runId: string | undefined
  #agent = ''
  /** Time of the last event. */
  #at: number | undefined
  #inTurn = false
  #spent: RunSpend | undefined
  /** Whether the last answer called tools. */
  #called = false
  #total: RunSpend = { usage: ZERO_USAGE }
  /** Whether the `end` step was returned. */
  ended = false

  /** Creates a reader. @param now Returns milliseconds since the epoch, for a stream that ends before the first event. */
  constructor(now: () => number) {
    this.#now = now
  }

  push(event: RunEvent): readonly RunStep[] {
    if (this.ended || (this.#runId !== undefined && event.runId !== this.#runId)) return []
    this.#at = event.at
    if (event.type === 'run.started') this.#agent = event.agent
    const steps = isEntryEvent(event) ? this.#readEntry(event) : this.#readLive(event)
    if (this.#runId !== undefined) return steps
    this.#runId = event.runId
    const { runId, sessionId, seq, at } = event
    const isStart = event.type === 'run.started'
    return [{ type: 'begin', runId, sessionId, agent: this.#agent, seq, isStart, at }, ...steps]
  }

  /** Ends a run whose events stopped or broke: as failed, with `error` as the reason. */
  end(error?: unknown): readonly RunStep[] {
    if (this.ended) return []
    const info = toErrorInfo(error ?? 'The events of the run ended before the run did.')
    return [this.#end({ status: 'failed', error: info })]
  }

  #readLive(event: Exclude<RunEvent, Entry>): readonly RunStep[] {
    switch (event.type) {
      case 'model.started':
        return this.#beginTurn(event.turn)
      // A client that missed the beginning of an answer gets the whole answer once it is recorded.
      case 'text.delta':
        return this.#inTurn ? [{ type: 'text', text: event.text }] : []
      case 'reasoning.delta':
        return this.#inTurn ? [{ type: 'reasoning', text: event.text }] : []
      case 'tool-call.start':
        return [{ type: 'call-start', callId: event.callId, name: event.name, ...executionOf(event) }]
      case 'tool-call.delta':
        return [{ type: 'call-delta', callId: event.callId, delta: event.delta }]
      case 'tool.progress':
        return [{ type: 'progress', callId: event.callId, name: event.name, update: event.update }]
      case 'run.interrupted':
        return [this.#end({ status: 'failed', error: event.error })]
      case 'output.delta':
      case 'context.compacting':
      case 'run.queued':
      case 'model.request':
      case 'model.retrying':
      case 'model.usage':
      case 'middleware.failed':
      case 'tool.omitted':
        return []
    }
  }

  #readEntry(event: Entry): readonly RunStep[] {
    switch (event.type) {
      case 'model.called':
        this.#spent = { usage: event.usage, cost: event.cost }
        this.#total = addSpend(this.#total, this.#spent)
        return this.#beginTurn(event.turn)
      case 'message.appended':
        return this.#readMessage(event)
      case 'model.failed':
        this.#total = addSpend(this.#total, event)
        this.#leaveTurn()
        return [{ type: 'answer-failed', error: event.error }]
      case 'answer.discarded':
        this.#leaveTurn()
        return [{ type: 'answer-discarded' }]
      case 'tool.started':
        if (this.#clientCalls.has(event.callId)) return []
        return [{ type: 'tool-started', callId: event.callId, name: event.name, input: event.input }]
      case 'tool.submitted':
        if (event.callId !== undefined && event.submission.type === 'result')
          this.#clientCalls.set(event.callId, 'submitted')
        return []
      case 'tool.ended':
        // The client knows the result that it has submitted.
        if (this.#clientCalls.get(event.callId) === 'submitted') return []
        return [toToolEnded(event)]
      case 'output.accepted':
        return this.#called ? [{ type: 'output', value: event.value, seq: event.seq }] : []
      case 'approval.requested':
        return [{ type: 'approval', request: event.request, agent: this.#agent }]
      case 'approval.decided':
        return [{ type: 'decision', approvalId: event.approvalId, decision: event.decision }]
      case 'run.suspended':
        return this.#suspend(event)
      case 'run.ended':
        return [this.#end(toEnding(event.outcome))]
      // A child run is part of the tool call that started it.
      case 'tool.requested':
      case 'agent.started':
      case 'agent.suspended':
      case 'agent.ended':
      case 'agent.changed':
      case 'context.compacted':
      case 'request.kept':
      case 'run.started':
      case 'instructions.evaluated':
      case 'run.resumed':
      case 'input.queued':
      case 'input.dropped':
      case 'input.filtered':
      case 'output.rejected':
      case 'run.failed':
      case 'cancel.requested':
      case 'limit.reached':
        return []
    }
  }

  #beginTurn(turn: number): readonly RunStep[] {
    if (this.#inTurn) return []
    this.#inTurn = true
    return [{ type: 'turn', turn }]
  }

  #leaveTurn(): void {
    this.#inTurn = false
    this.#spent = undefined
  }

  #readMessage({ message, seq }: Extract<Entry, { type: 'message.appended' }>): readonly RunStep[] {
    if (message.role !== 'assistant') return []
    const calls = message.content.filter(part => part.type === 'tool-call')
    this.#called = calls.length > 0
    for (const { callId, execution } of calls) if (execution === 'client') this.#clientCalls.set(callId, 'pending')
    const spent = this.#spent
    this.#leaveTurn()
    return [{ type: 'answer', message, seq, spent }]
  }

  #suspend({
    approvals,
    clientCalls: pending = [],
    reason,
  }: Extract<Entry, { type: 'run.suspended' }>): readonly RunStep[] {
    // Other systems submit the results of the other calls.
    const clientCalls = pending.filter(({ execution }) => execution === 'client')
    const asked = approvals.map(request => ({ type: 'approval', request, agent: this.#agent }) as const)
    const ending: RunEnding =
      reason === 'shutdown'
        ? { status: 'released', approvals, clientCalls, error: { code: 'runtime-closed' } }
        : { status: 'suspended', approvals, clientCalls }
    return [...asked, this.#end(ending)]
  }

  #end(ending: RunEnding): RunStep {
    this.ended = true
    return { type: 'end', ending, ...this.#total, at: this.#at ?? this.#now() }
  }
}

function toToolEnded(event: EntryOf<'tool.ended'>): RunStep {
  const { callId, name, error } = event
  return { type: 'tool-ended', callId, name, message: publicResult(event), isDenied: error?.code === 'tool-denied' }
}

function executionOf({ execution }: { readonly execution?: 'client' | undefined }): { readonly execution?: 'client' } {
  return execution === undefined ? {} : { execution }
}

function addSpend(a: RunSpend, b: RunSpend): RunSpend {
  return { usage: addUsage(a.usage, b.usage), cost: addCost(a.cost, b.cost) }
}

function toEnding(outcome: Outcome): RunEnding {
  switch (outcome.status) {
    case 'completed':
      return outcome
    case 'failed':
      return outcome
    case 'limit':
      return { status: 'limit', error: { code: 'limit-reached', ...outcome.hit } }
    case 'cancelled':
      return { status: 'cancelled', error: { code: 'cancelled', ...outcome.reason } }
    case 'rejected': {
      const { filter, reason } = outcome
      return { status: 'rejected', error: { code: 'input-rejected', filter, reason } }
    }
  }
}
