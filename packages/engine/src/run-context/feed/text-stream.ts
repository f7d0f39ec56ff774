import { GrowingText, messageText, stoppable, type Message, type RunEvent } from '@parley/core'
import { completedOrThrow } from '../run-failed-error.ts'
import type { Run } from '../run-result.ts'

/** Returns the text of a run's answers in pieces. Each iteration reads the run again. */
export function textStream(run: Pick<Run, 'runId' | 'result'> & AsyncIterable<RunEvent>): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]() {
      // Subscribes now: a generator would start with its first `next()` and miss events until then.
      const events = run[Symbol.asyncIterator]()
      const answer = new AnswerPieces(run.runId)
      let left = false
      function leave(): void {
        left = true
        void events.return?.()
      }
      async function pull(): Promise<readonly string[] | undefined> {
        for (;;) {
          const { value: event, done } = await events.next()
          if (done === true) {
            if (left) return undefined
            completedOrThrow(await run.result)
            return undefined
          }
          const piece = answer.piece(event)
          if (piece !== '') return [piece]
        }
      }
      return stoppable({ pull, leave })
    },
  }
}

/** What a reader has received of the current answer. A reader that missed its beginning receives the recorded answer. */
class AnswerPieces {
  readonly #runId: string
  #sent = new GrowingText()
  #inTurn = false

  constructor(runId: string) {
    this.#runId = runId
  }

  /** Returns the text that the reader receives after this event. Often ''. */
  piece(event: RunEvent): string {
    if (event.runId !== this.#runId) return ''
    if (event.type === 'text.delta') return this.#stream(event.text)
    if (event.type === 'message.appended')
      return event.message.role === 'assistant' ? this.#complete(event.message) : ''
    if (event.type === 'model.started') this.#inTurn = true
    if (event.type === 'model.failed' || event.type === 'answer.discarded') this.#leave()
    return ''
  }

  #stream(text: string): string {
    if (!this.#inTurn) return ''
    this.#sent.add(text)
    return text
  }

  /** The part of a recorded answer that the reader does not have. A middleware may have replaced what was streamed. */
  #complete(message: Message): string {
    const text = messageText(message)
    const sent = this.#leave()
    return sent.begins(text) ? text.slice(sent.length) : ''
  }

  #leave(): GrowingText {
    const sent = this.#sent
    this.#sent = new GrowingText()
    this.#inTurn = false
    return sent
  }
}
