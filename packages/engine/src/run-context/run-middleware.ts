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
import type { RunState } from '../journal/run-state.ts'
import { LiveProgress } from './live-progress.ts'
import type { RunFeed } from './feed/run-feed.ts'

/** The part of a run that its middleware sees. */
interface MiddlewareOwner {
  readonly facts: RunFacts
  readonly feed: RunFeed
  readonly state: RunState
}

/** Wraps calls into an agent's middleware. */
export type Onion<TCall, TResult> = (innermost: (call: TCall) => TResult) => (call: TCall) => TResult

/**
 * The middleware of the agent that answers now. Each middleware begins once in a run, even if several agents have it.
 */
export class RunMiddleware {
  /** Wraps model calls; `undefined` if no middleware has a `model` stage. */
  model: Onion<ModelCall, AsyncIterable<ModelEvent>> | undefined
  /** Wraps tool calls; `undefined` if no middleware has a `tool` stage. */
  tool: Onion<ToolCall, Promise<ToolOutcome>> | undefined
  /** Stages with `beforeTurn`, `afterTurn` or `steer`, in the order of the agent's list. */
  turnHooks: readonly MiddlewareStages[] = []
  /** The `steer` stages; `undefined` if there are none. */
  steers: readonly NonNullable<MiddlewareStages['steer']>[] | undefined
  readonly #run: MiddlewareOwner
  readonly #pull: () => Promise<void>
  readonly #begun: { readonly middleware: Middleware; readonly stages: MiddlewareStages }[] = []

  /** @param pull Asks the `steer` stages and queues what they return. */
  constructor(run: MiddlewareOwner, pull: () => Promise<void>) {
    this.#run = run
    this.#pull = pull
  }

  get hooksTurns(): boolean {
    return this.turnHooks.length > 0
  }

  /** Queues the messages of the `steer` stages. `undefined` if there are none. */
  pullSteering(): Promise<void> | undefined {
    return this.steers === undefined ? undefined : this.#pull()
  }

  /** Uses an agent's middleware from now on. */
  use(middleware: readonly Middleware[]): void {
    const stages = middleware.map(each => this.#begin(each))
    const modelStages = stages.flatMap(stage => stage.model ?? [])
    const toolStages = stages.flatMap(stage => stage.tool ?? [])
    // An empty composition would still create closures for each call (bench: tricks no-middleware).
    this.model = modelStages.length === 0 ? undefined : innermost => compose(modelStages, innermost)
    this.tool = toolStages.length === 0 ? undefined : innermost => compose(toolStages, innermost)
    const steers = stages.flatMap(stage => stage.steer ?? [])
    this.steers = steers.length === 0 ? undefined : steers
    this.turnHooks = stages.filter(stage => (stage.beforeTurn ?? stage.afterTurn ?? stage.steer) !== undefined)
  }

  /**
   * Begins a middleware once in the run. An event listener stays for the whole run, even after a handoff to an agent
   * without the middleware.
   */
  #begin(middleware: Middleware): MiddlewareStages {
    const known = this.#begun.find(begun => begun.middleware === middleware)
    if (known !== undefined) return known.stages
    const stages = middleware.begin(this.#run.facts, new LiveProgress(this.#run))
    this.#begun.push({ middleware, stages })
    const { event } = stages
    if (event !== undefined) this.#run.feed.listen({ name: middleware.name, event })
    return stages
  }
}
