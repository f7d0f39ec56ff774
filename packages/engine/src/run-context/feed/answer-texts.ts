import type { GrowingText, RunEvent } from '@parley/core'

/** The answer that a model call is writing. */
export interface LiveAnswer {
  /** Returns the events that show the answer so far. */
  events(): readonly RunEvent[]
}

/** The answers that a run and its child runs are writing. Slow readers refer to them, instead of each keeping a copy. */
export class AnswerTexts {
  /** The answer that the run itself is writing, for readers that come in the middle of it. */
  writing: LiveAnswer | undefined
  readonly #outer: AnswerTexts | undefined
  /** Texts by the id of their run. The map is created for the first answer that has a reader. */
  #texts: Map<string, GrowingText> | undefined

  /** @param outer The answers of the parent run's readers, who read this run too. */
  constructor(outer: AnswerTexts | undefined) {
    this.#outer = outer
  }

  get(runId: string): GrowingText | undefined {
    return this.#texts?.get(runId)
  }

  set(runId: string, text: GrowingText): void {
    this.#texts ??= new Map()
    this.#texts.set(runId, text)
    this.#outer?.set(runId, text)
  }

  /** Forgets the answers, because the run has ended. */
  clear(): void {
    for (const runId of this.#texts?.keys() ?? []) this.#outer?.delete(runId)
    this.#texts = undefined
  }

  delete(runId: string): void {
    this.#texts?.delete(runId)
    this.#outer?.delete(runId)
  }
}
