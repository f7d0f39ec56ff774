import type { Cost, EphemeralEvent, GrowingText, ModelEvent, RunEvent, Usage } from '@parley/core'
import { OutputWatch } from './output-watch.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { LiveAnswer } from '../../run-context/feed/answer-texts.ts'
import { AnswerBuilder } from '../../run-context/model-stream/answer-builder.ts'
import { costOfAnswer } from '../../run-context/model-stream/cost-of-answer.ts'

/**
 * Smallest time between two usage events. Some providers report usage with every piece, and slow readers buffer events.
 */
const USAGE_INTERVAL_MS = 1_000

/**
 * Characters after which the event loop gets its turn, so that a model which answers at once does not block the process. Each event
 * counts as some characters, because its handling takes time too.
 */
const CHARS_A_TURN = 128 * 1024
const CHARS_OF_EVENT = 64

/** Usage, cost and time of a model call. */
export interface Spent {
  readonly usage: Usage
  readonly cost?: Cost
  readonly durationMs: number
}

/** The answer of a turn's model call, built from its events and shown to readers as they arrive. */
export class WatchedAnswer implements LiveAnswer {
  readonly builder = new AnswerBuilder()
  readonly #run: RunContext
  readonly #turn: number
  readonly #startedAt: number
  readonly #watch: OutputWatch | undefined
  #firstTokenAt: number | undefined
  /** The text that readers can refer to. */
  #text: GrowingText | undefined
  /** Reported usage that was not shown yet. */
  #usage: Usage | undefined
  #usageShownAt = -Infinity
  #chars = 0
  /** Characters since the event loop got its turn. */
  #turnChars = 0

  constructor(run: RunContext, turn: number, startedAt: number) {
    const { output } = run.agent
    this.#run = run
    this.#turn = turn
    this.#startedAt = startedAt
    this.#watch = output === undefined ? undefined : new OutputWatch(run, output, turn)
  }

  add(event: ModelEvent): Promise<void> | undefined {
    const { feed, clock } = this.#run
    if (this.#firstTokenAt === undefined && (event.type.endsWith('.delta') || event.type === 'tool-call'))
      this.#firstTokenAt = clock.now()
    // Without a reader, pieces are neither parsed nor made into events (bench: tricks watched-answer).
    const { watched } = feed
    if (watched) this.#showUsage(event)
    // Only now: a reader that comes at the event above must not receive this piece twice.
    this.builder.add(event)
    const { text } = this.builder
    if (watched && text !== undefined && text !== this.#text) {
      this.#text = text
      feed.answers.set(this.#run.facts.runId, text)
    }
    // A retry is not a piece of the answer: the event bus receives it even if it takes no pieces.
    if (watched || event.type === 'retry') showEvent(this.#run, this.#turn, event)
    if (watched) this.#watch?.add(event)
    const chars = charsOf(event)
    this.#chars += chars
    this.#turnChars += chars + CHARS_OF_EVENT
    return this.#turnChars < CHARS_A_TURN ? undefined : this.#pause()
  }

  #pause(): Promise<void> {
    this.#turnChars = 0
    return this.#run.runtime.answerRoom.grow(this, this.#chars) ?? new Promise(nextTurn)
  }

  /** Whether the answer takes room until it is stored. */
  get takesRoom(): boolean {
    return this.#run.runtime.answerRoom.has(this)
  }

  leaveRoom(): void {
    this.#run.runtime.answerRoom.leave(this)
  }

  /**
   * Shows reported usage, but only when a further event follows it. The entry about the call contains the final usage.
   */
  #showUsage(event: ModelEvent): void {
    if (event.type === 'usage') this.#usage = event.usage
    const usage = this.#usage
    if (usage === undefined || event.type === 'usage' || event.type === 'finish') return
    const now = this.#run.clock.now()
    if (now - this.#usageShownAt < USAGE_INTERVAL_MS) return
    this.#usage = undefined
    this.#usageShownAt = now
    this.#run.emit({ type: 'model.usage', turn: this.#turn, usage })
  }

  /** The calls of the answer are not among the events: the entry of the message shows them. */
  events(): readonly RunEvent[] {
    const { facts, state, agent } = this.#run
    const { runId, sessionId, path } = facts
    const turn = this.#turn
    const envelope = { runId, sessionId, path, seq: state.seq, at: this.#startedAt }
    const started: EphemeralEvent = { type: 'model.started', turn, model: agent.modelName }
    const pieces = this.builder.prose.map(({ type, text }): EphemeralEvent => ({ type: `${type}.delta`, turn, text }))
    return [started, ...pieces].map(event => ({ ...event, ...envelope }))
  }

  get firstTokenMs(): number | undefined {
    return this.#firstTokenAt === undefined ? undefined : this.#firstTokenAt - this.#startedAt
  }

  /** Usage, cost and time of a call that ended then. */
  spentUntil(endedAt: number): Spent {
    const { usage } = this.builder
    const durationMs = endedAt - this.#startedAt
    const cost = costOfAnswer(this.builder, this.#run.agent.definition.model.info, endedAt)
    return cost === undefined ? { usage, durationMs } : { usage, cost, durationMs }
  }
}

function charsOf(event: ModelEvent): number {
  if (event.type === 'text.delta' || event.type === 'reasoning.delta') return event.text.length
  return event.type === 'tool-call.delta' ? event.delta.length : 0
}

/** Not every platform has `setImmediate`, and a timer of 0 ms takes at least 1 ms. */
const nextTurn: (resolve: () => void) => void = globalThis.setImmediate ?? setTimeout

function executionOf(run: RunContext, tool: string): { readonly execution?: 'client' } {
  return run.tools.isOfClient(tool) ? { execution: 'client' } : {}
}

/**
 * Shows a model's event to readers. Events that complete a part are not shown, because the entry of the message
 * contains the part.
 */
function showEvent(run: RunContext, turn: number, event: ModelEvent): void {
  switch (event.type) {
    case 'text.delta':
      run.emit({ type: 'text.delta', turn, text: event.text })
      break
    case 'reasoning.delta':
      run.emit({ type: 'reasoning.delta', turn, text: event.text })
      break
    case 'tool-call.start':
      run.emit({
        type: 'tool-call.start',
        turn,
        callId: event.callId,
        name: event.name,
        ...executionOf(run, event.name),
      })
      break
    case 'tool-call.delta':
      run.emit({ type: 'tool-call.delta', turn, callId: event.callId, delta: event.delta })
      break
    case 'retry': {
      const { attempt, delayMs, error, fallback } = event
      const other = fallback === undefined ? {} : { fallback }
      run.emit({ type: 'model.retrying', turn, attempt, delayMs, error, ...other })
      break
    }
    case 'text.end':
    case 'reasoning.end':
    case 'tool-call':
    case 'file':
    case 'opaque':
    case 'usage':
    case 'finish':
      break
  }
}
