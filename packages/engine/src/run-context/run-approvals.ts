import type { ApprovalHandler } from '@parley/core'
import type { PreparedAgent } from '../agent/prepare-agent.ts'

/** The approval handler of a run, and the listeners that wait for decisions. */
export class RunApprovals {
  readonly #run: { readonly agent: PreparedAgent }
  readonly #parent: RunApprovals | undefined
  readonly #isStored: boolean
  /** These sets are created when they are needed: an empty set takes 150 bytes of each run (bench: tricks approval-sets). */
  #listeners: Set<(approvalId: string) => void> | undefined
  #asked: Set<string> | undefined

  constructor(run: { readonly agent: PreparedAgent }, parent: RunApprovals | undefined, isStored: boolean) {
    this.#run = run
    this.#parent = parent
    this.#isStored = isStored
  }

  /** The handler that decides in this process: that of the agent, otherwise that of the parent run. */
  get handler(): ApprovalHandler | undefined {
    return this.#run.agent.definition.onApproval ?? this.#parent?.handler
  }

  /** Whether a call can be suspended for approval: a handler can be asked, or the run can be suspended in a store. */
  get canAsk(): boolean {
    return this.handler !== undefined || this.#isStored
  }

  /** Whether the run can be suspended in a store, so that another process continues it. */
  get canSuspend(): boolean {
    return this.#isStored
  }

  /** Calls and roles that the handler was asked about: a handler may escalate each question to given roles only once. */
  get asked(): Set<string> {
    this.#asked ??= new Set()
    return this.#asked
  }

  /** Calls `listener` with the id of each request that is decided without the handler. Returns a function that removes it. */
  onDecided(listener: (approvalId: string) => void): () => void {
    const listeners = (this.#listeners ??= new Set())
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Tells listeners that a request was decided. */
  announce(approvalId: string): void {
    for (const listener of this.#listeners ?? []) listener(approvalId)
  }
}
