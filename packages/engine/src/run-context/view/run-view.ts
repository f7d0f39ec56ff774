import type { ContextPolicy, ContextView, Message, MessageGroup, SystemPart } from '@parley/core'
import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import type { RunState } from '../../journal/run-state.ts'
import type { RunTools } from '../run-tools.ts'
import { contextWindowOf, type AgentContext } from '../../agent/context/agent-context.ts'
import { groupMessages } from './group-messages.ts'
import { viewOf } from '../../journal/overlay.ts'

/** Between which bounds a provider's count may correct an estimate; beyond, the count is of something else. */
const LEAST_RATIO = 0.5
const MOST_RATIO = 4

/** The part of a run that the view depends on. */
export interface ViewOwner {
  readonly state: RunState
  readonly agent: PreparedAgent
  readonly tools: Pick<RunTools, 'specs' | 'byName'>
  readonly prompt: { readonly system: readonly SystemPart[] }
}

/** What the next model call would send, at the moment it is asked. */
export class RunView implements ContextView {
  readonly #run: ViewOwner
  readonly #context: AgentContext
  readonly window: number | undefined
  readonly budget: number | undefined
  readonly policy: ContextPolicy
  /** Whether the whole call's tokens were asked for yet. */
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

  /** Loads what counting needs; undefined when nothing is missing. */
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
    // Asked for by `due` and by `compact`, and nothing is said in between.
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
    // What no estimate of the messages explains is there whatever messages are sent.
    return lastInput.tokens === 0 ? estimate : Math.max(estimate, lastInput.tokens - this.count(this.#counted()))
  }

  tokens(): number {
    this.counted = true
    const { tokens } = this.#run.state.lastInput
    return (tokens === 0 ? this.count([this.#fixed]) : tokens) + this.count(this.#uncounted())
  }

  exceeds(limit: number): boolean {
    if (limit === Infinity) return false
    const { tokens } = this.#run.state.lastInput
    const { counts } = this.#context
    const fresh = counts.bound(this.#uncounted())
    if (fresh !== undefined) {
      const most = tokens === 0 ? fresh + (counts.bound([this.#fixed]) ?? Infinity) : tokens + fresh * MOST_RATIO
      if (most <= limit) return false
    }
    return this.tokens() > limit
  }

  count(messages: readonly Message[]): number {
    return Math.ceil(this.#context.counts.sum(messages) * this.#correction())
  }

  get #fixed(): Message {
    return this.#context.counts.fixed(this.#run.prompt.system, this.#run.tools.specs)
  }

  /** What the provider has not counted yet. */
  #uncounted(): readonly Message[] {
    const { state } = this.#run
    return state.lastInput.tokens === 0 ? viewOf(state) : state.transcript.slice(state.lastInput.length)
  }

  /** What the provider has counted last. */
  #counted(): readonly Message[] {
    const { lastInput, context, transcript } = this.#run.state
    const { overlay } = context
    return (overlay?.messages ?? []).concat(transcript.slice(overlay?.end ?? 0, lastInput.length))
  }

  /** How far the estimate of what was sent last was off. */
  #correction(): number {
    const { lastInput } = this.#run.state
    if (lastInput.tokens === 0) return 1
    if (this.#ratio?.of !== lastInput) {
      const estimate = this.#context.counts.sum([this.#fixed, ...this.#counted()])
      const value = Math.min(Math.max(lastInput.tokens / Math.max(estimate, 1), LEAST_RATIO), MOST_RATIO)
      this.#ratio = { of: lastInput, value }
    }
    return this.#ratio.value
  }
}
