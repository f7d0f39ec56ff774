import {
  addUsage,
  isEntryEvent,
  messageText,
  toErrorInfo,
  ZERO_USAGE,
  type AssistantMessage,
  type Entry,
  type Json,
  type Outcome,
  type RunEvent,
  type Usage,
} from '@parley/core'
import { CallTracker } from './call-tracker.ts'
import type { Ending, Step } from './step.ts'

/** Reads the events of one run as steps. What a watcher missed of an answer comes with its record, once. */
export class StepReader {
  readonly #calls = new CallTracker()
  readonly #now: () => number
  #runId: string | undefined
  #sent = { text: '', reasoning: '' }
  #open: 'text' | 'reasoning' | undefined
  #turn = 0
  #inTurn = false
  /** Whether the last answer asked for tools. */
  #called = false
  #usage: Usage = ZERO_USAGE
  ended = false

  /** `now`: milliseconds since the epoch, for a stream that ends before its run began. */
  constructor(now: () => number) {
    this.#now = now
  }

  push(event: RunEvent): readonly Step[] {
    if (this.ended || (this.#runId !== undefined && event.runId !== this.#runId)) return []
    const steps: Step[] = []
    if (this.#runId === undefined) {
      this.#runId = event.runId
      const { runId, sessionId, at } = event
      steps.push({ type: 'begin', runId, sessionId, agent: event.type === 'run.started' ? event.agent : '', at })
    }
    steps.push(...(isEntryEvent(event) ? this.#readEntry(event) : this.#readLive(event)))
    return steps
  }

  /** No more events: a run that has not ended has failed, with `error` if that is why. */
  end(error?: unknown): readonly Step[] {
    if (this.ended) return []
    const info = toErrorInfo(error ?? 'The events of the run ended before the run did.')
    return this.#finish({ status: 'failed', error: info }, this.#now())
  }

  #readLive(event: Exclude<RunEvent, Entry>): readonly Step[] {
    switch (event.type) {
      case 'model.started':
        return this.#beginTurn(event.turn)
      case 'text.delta':
        return this.#inTurn ? this.#write('text', event.text) : []
      case 'reasoning.delta':
        return this.#inTurn ? this.#write('reasoning', event.text) : []
      case 'tool-call.start':
        return this.#calls.begin(event.callId, event.name, () => this.#endProse())
      case 'tool-call.delta':
        return this.#calls.write(event.callId, event.delta)
      case 'tool.progress':
        return [{ type: 'progress', callId: event.callId, name: event.name, update: event.update }]
      case 'run.interrupted':
        return this.#finish({ status: 'failed', error: event.error }, event.at)
      case 'output.delta':
      case 'context.compacting':
      case 'run.queued':
      case 'model.request':
      case 'model.retrying':
      case 'model.usage':
      case 'middleware.failed':
        return []
    }
  }

  #readEntry(event: Entry): readonly Step[] {
    switch (event.type) {
      case 'model.called':
        this.#usage = addUsage(this.#usage, event.usage)
        return this.#beginTurn(event.turn)
      case 'message.appended':
        return event.message.role === 'assistant' ? this.#answered(event.message) : []
      case 'model.failed':
        this.#usage = addUsage(this.#usage, event.usage)
        return this.#breakOff()
      case 'answer.discarded':
        return this.#breakOff()
      case 'tool.started':
        return this.#calls.ensure(event.callId, event.name, event.input)
      case 'tool.ended': {
        const { callId, name, message } = event
        const text = message.structured === undefined ? messageText(message) : JSON.stringify(message.structured)
        const result: Step = { type: 'result', callId, name, text, isError: message.isError === true }
        return [...this.#calls.ensure(callId, name), result]
      }
      case 'output.accepted':
        return this.#called ? this.#accepted(event.value) : []
      case 'approval.requested':
        return this.#calls.ask(event.request)
      case 'approval.decided':
        return [{ type: 'decision', approvalId: event.approvalId, decision: event.decision }]
      case 'run.suspended': {
        const { approvals, reason } = event
        // Let go with nothing to decide: whoever takes the run up goes on with it.
        const ending: Ending =
          reason === 'shutdown' && approvals.length === 0
            ? { status: 'failed', error: { code: 'runtime-closed' } }
            : { status: 'suspended', approvals }
        return [...approvals.flatMap(request => this.#calls.ask(request)), ...this.#finish(ending, event.at)]
      }
      case 'run.ended':
        return this.#finish(toEnding(event.outcome), event.at)
      // What sub-agents do is within the call that asked for it.
      case 'agent.started':
      case 'agent.suspended':
      case 'agent.ended':
      case 'agent.changed':
      case 'context.compacted':
      case 'request.kept':
      case 'run.started':
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

  #beginTurn(turn: number): readonly Step[] {
    if (this.#inTurn) return []
    const before = this.#endTurn()
    this.#inTurn = true
    this.#turn = turn
    return [...before, { type: 'turn', turn }]
  }

  /** Ends the turn whose tools have run. */
  #endTurn(): readonly Step[] {
    if (this.#turn === 0) return []
    const turn = this.#turn
    this.#turn = 0
    return [{ type: 'turn-end', turn }]
  }

  #write(kind: 'text' | 'reasoning', text: string): readonly Step[] {
    if (text === '') return []
    const ending = this.#open === undefined || this.#open === kind ? [] : this.#endProse()
    this.#open = kind
    this.#sent[kind] += text
    return [...ending, { type: kind, text }]
  }

  #endProse(): readonly Step[] {
    if (this.#open === undefined) return []
    this.#open = undefined
    return [{ type: 'prose-end' }]
  }

  #answered(message: AssistantMessage): readonly Step[] {
    const steps: Step[] = []
    for (const kind of ['reasoning', 'text'] as const) {
      const whole = message.content.map(part => (part.type === kind ? part.text : '')).join('')
      if (whole.startsWith(this.#sent[kind])) steps.push(...this.#write(kind, whole.slice(this.#sent[kind].length)))
    }
    steps.push(...this.#endProse())
    for (const part of message.content) if (part.type === 'file') steps.push({ type: 'file', file: part })
    const calls = message.content.filter(part => part.type === 'tool-call')
    for (const call of calls) steps.push(...this.#calls.call(call))
    this.#called = calls.length > 0
    return [...steps, ...this.#leaveAnswer()]
  }

  #breakOff(): readonly Step[] {
    return [...this.#endProse(), ...this.#leaveAnswer()]
  }

  #leaveAnswer(): readonly Step[] {
    this.#inTurn = false
    this.#sent = { text: '', reasoning: '' }
    return this.#calls.breakOff()
  }

  /** An answer in text has shown it; one by a tool has not. */
  #accepted(value: Json): readonly Step[] {
    return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }, { type: 'prose-end' }]
  }

  #finish(ending: Ending, at: number): readonly Step[] {
    const left = [...this.#breakOff(), ...this.#endTurn()]
    this.ended = true
    return [...left, { type: 'end', ending, usage: this.#usage, at }]
  }
}

function toEnding(outcome: Outcome): Ending {
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
