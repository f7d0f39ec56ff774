import type { Message, Turn, TurnTrigger } from '@parley/core'
import type { Transcript } from '../../journal/transcript.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** A turn as its hooks see it. A class, because V8 creates object literals with accessors slowly (bench: tricks context-editor). */
export class HookedTurn implements Turn {
  readonly turn: number
  readonly trigger: TurnTrigger
  readonly signal: AbortSignal
  readonly #transcript: Transcript
  #messages: readonly Message[] | undefined

  /** @param trigger Set for a turn that has begun. */
  constructor(run: RunContext, turn: number, trigger = triggerOf(run)) {
    this.turn = turn
    this.trigger = trigger
    this.signal = run.stopper.signal
    this.#transcript = run.state.transcript
  }

  get messages(): readonly Message[] {
    return (this.#messages ??= Object.freeze(this.#transcript.toArray()))
  }
}

function triggerOf({ facts, state }: RunContext): TurnTrigger {
  const { turn, transcript, continued, outputRejections, afterLimit } = state
  if (turn === 0 && facts.path.length > 0) return 'sub-agent'
  if (transcript.last?.role === 'tool') return 'tools'
  return continued > 0 || outputRejections > 0 || afterLimit !== 'nothing' ? 'engine' : 'user'
}
