import {
  compose,
  type Middleware,
  type MiddlewareStages,
  type ModelCall,
  type ModelEvent,
  type RunFacts,
  type ToolCall,
  type ToolOutcome,
} from '@parley/core'
import type { RunFeed } from './run-feed.ts'

/** Wraps calls into an agent's middleware. */
export type Onion<TCall, TResult> = (innermost: (call: TCall) => TResult) => (call: TCall) => TResult

/** The middleware of the agent that answers now. Each middleware begins once in a run, also if several agents have it. */
export class RunMiddleware {
  /** Around model calls; `undefined` if no middleware has a `model` stage. */
  model: Onion<ModelCall, AsyncIterable<ModelEvent>> | undefined
  /** Around tool calls; `undefined` if no middleware has a `tool` stage. */
  tool: Onion<ToolCall, Promise<ToolOutcome>> | undefined
  /** Stages with `beforeTurn` or `afterTurn`, in the order of the agent's list. */
  turnHooks: readonly MiddlewareStages[] = []
  readonly #facts: RunFacts
  readonly #feed: RunFeed
  readonly #begun: { readonly middleware: Middleware; readonly stages: MiddlewareStages }[] = []

  constructor(facts: RunFacts, feed: RunFeed) {
    this.#facts = facts
    this.#feed = feed
  }

  get hooksTurns(): boolean {
    return this.turnHooks.length > 0
  }

  /** Uses an agent's middleware from now on. */
  use(middleware: readonly Middleware[]): void {
    const stages = middleware.map(each => this.#begin(each))
    const modelStages = stages.flatMap(stage => stage.model ?? [])
    const toolStages = stages.flatMap(stage => stage.tool ?? [])
    // An empty composition would still create closures for each call (bench: tricks no-middleware).
    this.model = modelStages.length === 0 ? undefined : innermost => compose(modelStages, innermost)
    this.tool = toolStages.length === 0 ? undefined : innermost => compose(toolStages, innermost)
    this.turnHooks = stages.filter(({ beforeTurn, afterTurn }) => beforeTurn !== undefined || afterTurn !== undefined)
  }

  /** An event listener stays for the whole run, also after a handoff to an agent without the middleware. */
  #begin(middleware: Middleware): MiddlewareStages {
    const known = this.#begun.find(begun => begun.middleware === middleware)
    if (known !== undefined) return known.stages
    const stages = middleware.begin(this.#facts)
    this.#begun.push({ middleware, stages })
    const { event } = stages
    if (event !== undefined) this.#feed.listen({ name: middleware.name, event })
    return stages
  }
}
