import { GrowingText, type AssistantMessage, type Entry, type Json } from '@parley/core'
import type { RunEnd, RunEnding, RunStep } from '../kit/run-step.ts'
import { CallTracker } from './call-tracker.ts'
import type { ChatEnding, ChatStep } from './chat-step.ts'

/**
 * Turns the steps of a run into chat steps. If a client missed the beginning of an answer, it receives the missing text
 * when the answer is recorded.
 */
export class ChatStepReader {
  readonly #calls: CallTracker
  /** The pieces of the current answer that were sent to the client. */
  #sent = { text: new GrowingText(), reasoning: new GrowingText() }
  #open: 'text' | 'reasoning' | undefined
  #turn: number | undefined

  /** Creates a reader. @param prior Entries that an earlier stream has shown. */
  constructor(prior: readonly Entry[]) {
    this.#calls = new CallTracker(prior)
  }

  read(step: RunStep): readonly ChatStep[] {
    switch (step.type) {
      case 'begin':
      case 'progress':
      case 'decision':
        return [step]
      case 'turn':
        return this.#beginTurn(step.turn)
      case 'text':
      case 'reasoning':
        return this.#write(step.type, step.text)
      case 'call-start':
        return this.#calls.begin(step, () => this.#endProse())
      case 'call-delta':
        return this.#calls.write(step.callId, step.delta)
      case 'answer':
        return this.#answered(step.message)
      case 'answer-failed':
      case 'answer-discarded':
        return this.#breakOff()
      case 'tool-started':
        return this.#calls.ensure(step.callId, step.name, step.input)
      case 'tool-ended':
        return this.#toolEnded(step)
      case 'output':
        return [{ type: 'text', text: toText(step.value) }, { type: 'prose-end' }]
      case 'approval':
        return this.#calls.ask(step.request)
      case 'end':
        return this.#finish(step)
    }
  }

  #beginTurn(turn: number): readonly ChatStep[] {
    const before = this.#endTurn()
    this.#turn = turn
    return [...before, { type: 'turn', turn }]
  }

  #endTurn(): readonly ChatStep[] {
    const turn = this.#turn
    this.#turn = undefined
    return turn === undefined ? [] : [{ type: 'turn-end', turn }]
  }

  #write(kind: 'text' | 'reasoning', text: string): readonly ChatStep[] {
    if (text === '') return []
    const ending = this.#open === undefined || this.#open === kind ? [] : this.#endProse()
    this.#open = kind
    this.#sent[kind].add(text)
    return [...ending, { type: kind, text }]
  }

  #endProse(): readonly ChatStep[] {
    if (this.#open === undefined) return []
    this.#open = undefined
    return [{ type: 'prose-end' }]
  }

  #answered(message: AssistantMessage): readonly ChatStep[] {
    const steps: ChatStep[] = []
    for (const kind of ['reasoning', 'text'] as const) {
      const whole = message.content.map(part => (part.type === kind ? part.text : '')).join('')
      const sent = this.#sent[kind]
      if (sent.begins(whole)) steps.push(...this.#write(kind, whole.slice(sent.length)))
    }
    steps.push(...this.#endProse())
    for (const part of message.content) if (part.type === 'file') steps.push({ type: 'file', file: part })
    for (const part of message.content) if (part.type === 'tool-call') steps.push(...this.#calls.call(part))
    return [...steps, ...this.#leaveAnswer()]
  }

  #breakOff(): readonly ChatStep[] {
    return [...this.#endProse(), ...this.#leaveAnswer()]
  }

  #leaveAnswer(): readonly ChatStep[] {
    this.#sent = { text: new GrowingText(), reasoning: new GrowingText() }
    return this.#calls.breakOff()
  }

  #toolEnded({ callId, name, message, isDenied }: Extract<RunStep, { type: 'tool-ended' }>): readonly ChatStep[] {
    const isError = message.isError === true
    const isRefused = isDenied && this.#calls.wasAsked(callId)
    const result: ChatStep = { type: 'result', callId, name, message, isError, isRefused }
    return [...this.#calls.ensure(callId, name), result]
  }

  #finish({ ending, usage, at }: RunEnd): readonly ChatStep[] {
    return [...this.#breakOff(), ...this.#endTurn(), { type: 'end', ending: toChatEnding(ending), usage, at }]
  }
}

function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toChatEnding(ending: RunEnding): ChatEnding {
  if (ending.status !== 'released') return ending
  const { approvals, clientCalls, error } = ending
  // Without a pending request the client has nothing to do: another process resumes the run.
  if (approvals.length + clientCalls.length === 0) return { status: 'failed', error }
  return { status: 'suspended', approvals, clientCalls }
}
