import type { ToolSpec } from '@parley/core'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import type { PreparedTool } from '../agent/tools/prepare-tool.ts'
import type { ToolSet } from '../agent/tools/tool-set.ts'
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
  #set: ToolSet = { specs: [], byName: new Map() }

  constructor(run: ToolsOwner) {
    this.#run = run
  }

  get specs(): readonly ToolSpec[] {
    return this.#set.specs
  }

  get byName(): ReadonlyMap<string, PreparedTool> {
    return this.#set.byName
  }

  /** Asks the agent's tool sources. A source that cannot answer ends the run as failed. */
  open(): void | Promise<void> {
    const { stopper, journal } = this.#run
    return this.#take(error => {
      // The error of a source that was stopped is not the cause of the run's end.
      if (!stopper.stopped) failRun(journal, error)
    })
  }

  /** Asks the sources that announced a change. If one cannot answer now, the run keeps the tools it has. */
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
    this.#run.prompt.onToolsChanged()
  }
}

function keepTools(): void {}
