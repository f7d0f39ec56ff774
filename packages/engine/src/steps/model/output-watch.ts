import { PartialJson, type Json, type ModelEvent } from '@parley/core'
import type { RunContext } from '../../run-context/run-context.ts'
import { unwrapOutput, type PreparedOutput } from '../../agent/output/prepare-output.ts'

/** Smallest time between two deltas. Each delta contains the whole output so far, so many deltas would be slow. */
const SHOW_EVERY_MS = 50

/** Shows the structured output while the model writes it. Each model call has its own object. */
export class OutputWatch {
  readonly #run: RunContext
  readonly #output: PreparedOutput
  readonly #turn: number
  readonly #json = new PartialJson()
  #callId: string | undefined
  #begun = false
  #shownAt = -Infinity

  constructor(run: RunContext, output: PreparedOutput, turn: number) {
    this.#run = run
    this.#output = output
    this.#turn = turn
  }

  add(event: ModelEvent): void {
    if (this.#output.strategy === 'tool') {
      if (event.type === 'tool-call.start' && event.name === this.#output.name) this.#callId = event.callId
      if (event.type === 'tool-call.delta' && event.callId === this.#callId) this.#read(event.delta)
    } else if (event.type === 'text.delta') {
      this.#read(event.text)
    }
    if (event.type === 'finish') this.#show()
  }

  #read(piece: string): void {
    // A code fence or words may precede the value.
    const from = this.#begun ? 0 : piece.search(/[[{]/)
    if (from < 0) return
    this.#begun = true
    this.#json.push(piece.slice(from))
    const now = this.#run.clock.now()
    if (now - this.#shownAt < SHOW_EVERY_MS) return
    this.#shownAt = now
    this.#show()
  }

  #show(): void {
    const written = this.#json.snapshot()
    const partial = unwrapOutput(written, this.#output.wrapped) as Json | undefined
    // A wrapped value begins with its field `value`.
    const isWrapper = this.#output.wrapped && partial === written
    if (partial !== undefined && !isWrapper) this.#run.emit({ type: 'output.delta', turn: this.#turn, partial })
  }
}
