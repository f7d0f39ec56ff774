import type { ContextPolicy, ContextView, Message, MessageGroup, SystemPart } from '@parley/core'
import type { ResolvedAgent } from '../../agent/resolve-agent.ts'
import type { RunState } from '../../journal/run-state.ts'
import type { RunTools } from '../run-tools.ts'
import { contextWindowOf, type AgentContext } from '../../agent/context/agent-context.ts'
import { groupMessages } from './group-messages.ts'
import { viewOf } from '../../journal/overlay.ts'

/**
 * Bounds of the ratio by which an estimate of tokens is corrected. A larger difference means that the provider did not
 * count the same content, for example because of cached files.
 */
const LEAST_RATIO = 0.5
const MOST_RATIO = 4

/** The part of a run that the view depends on. */
export interface ViewOwner {
  readonly state: RunState
  readonly agent: { readonly definition: Pick<ResolvedAgent, 'model' | 'contextWindow'> }
  readonly tools: Pick<RunTools, 'specs'>
  readonly prompt: { readonly system: readonly SystemPart[] }
}

/** The messages that the next model call would send, read from the current state. */
export class RunView implements ContextView {
  readonly #run: ViewOwner
  readonly #context: AgentContext
  readonly window: number | undefined
  readonly budget: number | undefined
  readonly policy: ContextPolicy
  /** Whether `tokens` was called. */
  counted = false
  #groups: (Pick<RunState, 'transcript' | 'context'> & { readonly list: readonly MessageGroup[] }) | undefined
  #ratio: { readonly of: RunState['lastInput']; readonly value: number } | undefined

  constructor(run: ViewOwner, context: AgentContext) {
    this.#run = run
    this.#context = context
    this.window = contextWindowOf(run.agent.definition)
    this.budget = context.budget
    this.policy = context.policy
  }

  /** Loads the tokenizer. `undefined` if it is loaded or not needed. */
  load(): Promise<void> | undefined {
    return this.#context.load()
  }

  get length(): number {
    const { context, transcript } = this.#run.state
    const { overlay } = context
    return overlay === undefined ? transcript.length : overlay.messages.length + transcript.length - overlay.end
  }

  get groups(): readonly MessageGroup[] {
    const { context, transcript } = this.#run.state
    const { overlay, runStarts } = context
    // Both `due` and `compact` ask for the groups of the same state (bench: tricks groups-cache).
    if (this.#groups?.transcript !== transcript || this.#groups.context !== context) {
      const parts = overlay?.parts.map(part =>
        part.type === 'written'
          ? { messages: part.messages, from: undefined }
          : { messages: transcript.slice(part.from, part.to), from: part.from },
      )
      const end = overlay?.end ?? 0
      const stretches = [...(parts ?? []), { messages: transcript.slice(end), from: end }]
      this.#groups = { transcript, context, list: groupMessages(stretches, runStarts) }
    }
    return this.#groups.list
  }

  get log(): readonly MessageGroup[] {
    const { transcript, context } = this.#run.state
    const { floor } = context
    return groupMessages([{ messages: transcript.slice(floor), from: floor }], context.runStarts)
  }

  get fixedTokens(): number {
    const { lastInput } = this.#run.state
    const estimate = this.count([this.#fixed])
    // Tokens that the messages do not explain belong to instructions and tools.
    return lastInput.tokens === 0
      ? estimate
      : Math.max(estimate, lastInput.tokens - this.count(counted(this.#run.state)))
  }

  tokens(): number {
    this.counted = true
    const { tokens } = this.#run.state.lastInput
    return (tokens === 0 ? this.count([this.#fixed]) : tokens) + this.count(uncounted(this.#run.state))
  }

  exceeds(limit: number): boolean {
    if (limit === Infinity) return false
    const { tokens } = this.#run.state.lastInput
    const { counts } = this.#context
    const fresh = this.#boundOfUncounted()
    // Most conversations clearly fit, and counting reads every new character (bench: tricks count-bound).
    if (fresh !== undefined) {
      const most = tokens === 0 ? fresh + (counts.bound?.(this.#fixed) ?? Infinity) : tokens + fresh * MOST_RATIO
      if (most <= limit) return false
    }
    return this.tokens() > limit
  }

  /** Returns an upper bound of the tokens that the provider has not counted yet. `undefined` if the counter has none. */
  #boundOfUncounted(): number | undefined {
    const { counts, boundBySize } = this.#context
    const { transcript, context, lastInput } = this.#run.state
    const { tokens, size } = lastInput
    if (boundBySize && (tokens > 0 || context.overlay === undefined))
      return tokens > 0 ? transcript.size - size : transcript.size
    return counts.bound && sumUncounted(this.#run.state, counts.bound)
  }

  count(messages: readonly Message[]): number {
    return Math.ceil(this.#context.counts.sum(messages) * this.#correction())
  }

  get #fixed(): Message {
    return this.#context.counts.fixed(this.#run.prompt.system, this.#run.tools.specs)
  }

  /**
   * Returns the factor that corrects estimates: the provider's count of the last call, divided by the estimate of the
   * same request.
   */
  #correction(): number {
    const { lastInput } = this.#run.state
    if (lastInput.tokens === 0) return 1
    // A policy may count each group, and the ratio needs the whole transcript (bench: tricks ratio-cache).
    if (this.#ratio?.of !== lastInput) {
      const estimate = this.#context.counts.sum([this.#fixed, ...counted(this.#run.state)])
      const value = Math.min(Math.max(lastInput.tokens / Math.max(estimate, 1), LEAST_RATIO), MOST_RATIO)
      this.#ratio = { of: lastInput, value }
    }
    return this.#ratio.value
  }
}

/** Returns the messages that the provider has not counted yet. */
function uncounted(state: RunState): readonly Message[] {
  return state.lastInput.tokens === 0 ? viewOf(state) : state.transcript.slice(state.lastInput.length)
}

/** Adds up a number of each message that the provider has not counted yet. */
function sumUncounted({ lastInput, transcript, context }: RunState, of: (message: Message) => number): number {
  if (lastInput.tokens > 0) return transcript.sum(lastInput.length, of)
  const { messages = [], end = 0 } = context.overlay ?? {}
  return messages.reduce((sum, message) => sum + of(message), transcript.sum(end, of))
}

/** Returns the messages that the provider counted at the last call. */
function counted({ lastInput, context, transcript }: RunState): readonly Message[] {
  const { overlay } = context
  return (overlay?.messages ?? []).concat(transcript.slice(overlay?.end ?? 0, lastInput.length))
}
