import type { Cost, Message, RunProgress, Usage } from '@parley/core'
import type { RunState } from '../journal/run-state.ts'

/** What a run has done so far, read from its state. */
export class LiveProgress implements RunProgress {
  readonly #run: { readonly state: RunState }

  constructor(run: { readonly state: RunState }) {
    this.#run = run
  }

  get messages(): readonly Message[] {
    return this.#run.state.transcript.toArray()
  }

  get newMessages(): readonly Message[] {
    const { transcript, context } = this.#run.state
    return transcript.slice(context.runStarts.at(-1) ?? 0)
  }

  get usage(): Usage {
    return this.#run.state.usage
  }

  get cost(): Cost | undefined {
    return this.#run.state.cost
  }

  get turns(): number {
    return this.#run.state.turn
  }

  get runs(): number {
    return Math.max(1, this.#run.state.context.runStarts.length)
  }
}
