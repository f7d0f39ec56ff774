import type { ApprovalRequest, Json } from '@parley/core'
import type { Step } from './step.ts'

interface CallFacts {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

/** The calls of a run, each told once: begun, written, whole. */
export class CallTracker {
  /** What a model has written so far of the arguments of calls. */
  readonly #writing = new Map<string, string>()
  readonly #shown = new Set<string>()
  readonly #asked = new Set<string>()

  begin(callId: string, name: string, endProse: () => readonly Step[]): readonly Step[] {
    // A provider may repeat an id of an earlier turn; the recorded call has another, and comes whole.
    if (callId === '' || this.#shown.has(callId) || this.#writing.has(callId)) return []
    this.#writing.set(callId, '')
    return [...endProse(), { type: 'call-start', callId, name }]
  }

  write(callId: string, delta: string): readonly Step[] {
    const before = this.#writing.get(callId)
    if (before === undefined || delta === '') return []
    this.#writing.set(callId, before + delta)
    return [{ type: 'call-delta', callId, delta }]
  }

  /** A call as it was recorded. */
  call({ callId, name, arguments: text }: CallFacts): readonly Step[] {
    if (this.#shown.has(callId)) return []
    this.#shown.add(callId)
    const written = this.#writing.get(callId)
    this.#writing.delete(callId)
    const start: readonly Step[] = written === undefined ? [{ type: 'call-start', callId, name }] : []
    // A model that wants no arguments may write nothing at all; clients parse what they get.
    const whole = text === '' ? '{}' : text
    const delta = whole.startsWith(written ?? '') ? whole.slice((written ?? '').length) : ''
    return [...start, { type: 'call', callId, name, arguments: whole, delta }]
  }

  /** A call an earlier stream has shown, before something is said about it here. */
  ensure(callId: string, name: string, input: Json = {}): readonly Step[] {
    return this.call({ callId, name, arguments: JSON.stringify(input) })
  }

  ask(request: ApprovalRequest): readonly Step[] {
    if (this.#asked.has(request.approvalId)) return []
    this.#asked.add(request.approvalId)
    return [...this.ensure(request.callId, request.name, request.input), { type: 'approval', request }]
  }

  breakOff(): readonly Step[] {
    const broken = [...this.#writing.keys()].map(callId => ({ type: 'call-broken', callId }) as const)
    this.#writing.clear()
    return broken
  }
}
