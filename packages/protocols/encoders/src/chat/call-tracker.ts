import { GrowingText, type ApprovalRequest, type AssistantPart, type Entry, type Json } from '@parley/core'
import type { ChatStep } from './chat-step.ts'

interface CallFacts {
  readonly callId: string
  readonly name: string
  readonly arguments: string
  /** Present if the client executes the call. */
  readonly execution?: 'client' | undefined
}

/** The calls of an answer of the model. */
export function callsOf(entry: Entry): readonly Extract<AssistantPart, { type: 'tool-call' }>[] {
  if (entry.type !== 'message.appended' || entry.message.role !== 'assistant') return []
  return entry.message.content.filter(part => part.type === 'tool-call')
}

/**
 * Tracks the tool calls of a run. The client receives the start, the arguments and the completion of each call once.
 */
export class CallTracker {
  /** Arguments that the model has written so far, by call id. */
  readonly #writing = new Map<string, GrowingText>()
  readonly #shown = new Set<string>()
  readonly #asked = new Set<string>()
  /** Calls whose approval was requested. */
  readonly #askedCalls = new Set<string>()
  /** Arguments of the calls that an earlier stream has shown, by call id. */
  readonly #prior = new Map<string, string>()

  /** Creates a tracker. @param prior Entries that an earlier stream has shown. */
  constructor(prior: readonly Entry[]) {
    for (const entry of prior) this.#learn(entry)
  }

  #learn(entry: Entry): void {
    if (entry.type === 'approval.requested') this.#askedCalls.add(entry.request.callId)
    for (const call of callsOf(entry)) this.#prior.set(call.callId, call.arguments)
  }

  begin(
    { callId, name, execution }: Omit<CallFacts, 'arguments'>,
    endProse: () => readonly ChatStep[],
  ): readonly ChatStep[] {
    // A provider may repeat the id of an earlier turn. The engine records such a call under another id.
    if (callId === '' || this.#shown.has(callId) || this.#writing.has(callId)) return []
    this.#writing.set(callId, new GrowingText())
    return [...endProse(), { type: 'call-start', callId, name, execution }]
  }

  write(callId: string, delta: string): readonly ChatStep[] {
    const written = this.#writing.get(callId)
    if (written === undefined || delta === '') return []
    written.add(delta)
    return [{ type: 'call-delta', callId, delta }]
  }

  /** Reports a recorded call. */
  call({ callId, name, arguments: text, execution }: CallFacts): readonly ChatStep[] {
    if (this.#shown.has(callId)) return []
    this.#shown.add(callId)
    const written = this.#writing.get(callId)
    this.#writing.delete(callId)
    const start: readonly ChatStep[] = written === undefined ? [{ type: 'call-start', callId, name, execution }] : []
    // A model may write nothing at all for a call without arguments, and clients parse what they get.
    const whole = text === '' ? '{}' : text
    const delta = written?.begins(whole) === false ? '' : whole.slice(written?.length)
    return [...start, { type: 'call', callId, name, arguments: whole, delta, execution }]
  }

  /** Reports a call that only an earlier stream has shown, because its result or approval must follow it. */
  ensure(callId: string, name: string, input?: Json): readonly ChatStep[] {
    const written = input === undefined ? this.#prior.get(callId) : JSON.stringify(input)
    return this.call({ callId, name, arguments: written ?? '' })
  }

  /** Whether an approval of the call was requested. */
  wasAsked(callId: string): boolean {
    return this.#askedCalls.has(callId)
  }

  ask(request: ApprovalRequest): readonly ChatStep[] {
    if (this.#asked.has(request.approvalId)) return []
    this.#asked.add(request.approvalId)
    this.#askedCalls.add(request.callId)
    return [...this.ensure(request.callId, request.name, request.input), { type: 'approval', request }]
  }

  breakOff(): readonly ChatStep[] {
    const broken = [...this.#writing.keys()].map(callId => ({ type: 'call-broken', callId }) as const)
    this.#writing.clear()
    return broken
  }
}
