import type { ToolSpec } from '@parley/core'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import type { PreparedTool } from '../agent/tools/prepare-tool.ts'
import type { OmittedTool, ToolSet } from '../agent/tools/tool-set.ts'
import { failRun } from './fail-run.ts'
import type { RunJournal } from './run-journal.ts'
import type { Stopper } from './stopper.ts'

interface ToolsOwner {
  readonly agent: PreparedAgent
  readonly journal: RunJournal
  readonly stopper: Stopper
  readonly prompt: { onToolsChanged(): void }
}

/** The tools of the agent that answers now. */
export class RunTools {
  readonly #run: ToolsOwner
  #set: ToolSet = { specs: [], byName: new Map(), client: undefined, omitted: [] }
  #unannounced: readonly OmittedTool[] = []

  constructor(run: ToolsOwner) {
    this.#run = run
  }

  get specs(): readonly ToolSpec[] {
    return this.#set.specs
  }

  get byName(): ReadonlyMap<string, PreparedTool> {
    return this.#set.byName
  }

  /** Whether the client executes the tool. */
  isOfClient(name: string): boolean {
    return this.#set.client?.has(name) === true
  }

  /** Returns the omitted tools that no event has shown yet. */
  takeOmitted(): readonly OmittedTool[] {
    const omitted = this.#unannounced
    this.#unannounced = []
    return omitted
  }

  /** Asks the agent's tool sources. A source that cannot answer ends the run as failed. */
  open(): void | Promise<void> {
    const { stopper, journal } = this.#run
    return this.#take(error => {
      // The error of a source that was stopped is not the cause of the run's end.
      if (!stopper.stopped) failRun(journal, error, 'tool-source')
    })
  }

  /**
   * Asks the sources that announced a change for their tools. If one cannot answer now, the run keeps the tools it has.
   */
  renew(): void | Promise<void> {
    return this.#take(keepTools)
  }

  #take(onFailure: (error: unknown) => void): void | Promise<void> {
    const { agent, stopper } = this.#run
    const current = agent.toolbox.current(stopper.signal)
    if (current instanceof Promise) return current.then(tools => this.#use(tools), onFailure)
    this.#use(current)
    return undefined
  }

  #use(tools: ToolSet): void {
    // For the same set, the rendered instructions and their token count stay valid.
    if (tools === this.#set) return
    this.#set = tools
    this.#unannounced = tools.omitted
    this.#run.prompt.onToolsChanged()
  }
}

function keepTools(): void {}
