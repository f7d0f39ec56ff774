import {
  createId,
  defineTool,
  systemClock,
  type Entry,
  type EntryOf,
  type EntryType,
  type Model,
  type Store,
  type ToolMessage,
  type ToolContext,
} from '@parley/core'
import type { ScriptStep } from '../model/script-step.ts'
import { scriptedModel, type Script, type ScriptedModel } from '../model/scripted-model.ts'
import { failingStore, type FailingStore } from './failing-store.ts'
import type { HostAgent, HostOrder, HostProcess, HostWorker } from './host-worker.ts'

/** Options of `describeHostContract`. `createHostWorkers` makes all but `createStore` for a `DurableHost`. */
export interface HostContractOptions {
  /** Opens an empty store. The suite disposes it. */
  readonly createStore: () => Store | Promise<Store>
  /** Starts a process whose runs the host drives. */
  readonly startWorker: (process: HostProcess) => HostWorker | Promise<HostWorker>
  /** Runs an agent to its end without the host. */
  readonly runWithoutHost: (process: HostProcess, order: HostOrder) => Promise<void>
}

/** The scripted behavior of the agents and tools in a scene. */
export interface Plot {
  /** Answers of the agent `lead`, the one whose run the host drives. */
  readonly lead: readonly ScriptStep[]
  /** Answers of the agent `helper`, which the tool `help` runs. @default one text */
  readonly helper?: readonly ScriptStep[] | undefined
  /** Handler of the tools `read`, `once` and `ask`. @default returns a text at once */
  readonly handle?: ((context: ToolContext, tool: string) => unknown) | undefined
  readonly toolExecution?: HostAgent['toolExecution']
}

/** A test's store, agents, processes and one run. Disposing it releases the processes. */
export class HostScene implements AsyncDisposable {
  readonly store: Store
  readonly order: HostOrder = {
    runId: createId(systemClock.now()),
    sessionId: createId(systemClock.now()),
    agent: 'lead',
    input: 'go',
  }
  /** The handlers that have started, as `name callId`. */
  readonly started: string[] = []
  readonly #options: HostContractOptions
  readonly #agents: readonly HostAgent[]
  readonly #lead: ScriptedModel
  readonly #workers: HostWorker[] = []

  constructor(options: HostContractOptions, store: Store, plot: Plot) {
    this.#options = options
    this.store = store
    this.#lead = scriptedModel(inTurns(plot.lead))
    this.#agents = agentsOf(plot, this.#lead, this.started)
  }

  get runId(): string {
    return this.order.runId
  }

  /** Starts a process. Its appends with these numbers fail. */
  async open(failures: readonly number[] = []): Promise<HostWorker & Pick<FailingStore, 'appends'>> {
    const { store, appends } = failingStore(this.store, failures)
    const worker = await this.#options.startWorker({ agents: this.#agents, store })
    this.#workers.push(worker)
    return { ...worker, appends }
  }

  /** Starts the run and resumes it until it has completed, at most ten times. */
  async complete(worker: HostWorker): Promise<void> {
    await worker.start(this.order)
    for (let resumes = 0; resumes < 10 && (await this.status()) !== 'completed'; resumes++) {
      if ((await this.status()) === undefined) await worker.start(this.order)
      else await worker.resume(this.runId)
    }
  }

  async runWithoutHost(): Promise<void> {
    await this.#options.runWithoutHost({ agents: this.#agents, store: this.store }, this.order)
  }

  async status(runId = this.runId): Promise<string | undefined> {
    return (await this.store.run(runId))?.status
  }

  entries(runId = this.runId): Promise<readonly Entry[]> {
    return this.store.read(runId)
  }

  async entriesOf<TType extends EntryType>(type: TType, runId?: string): Promise<readonly EntryOf<TType>[]> {
    return (await this.entries(runId)).filter((entry): entry is EntryOf<TType> => entry.type === type)
  }

  /** Returns the tool results in the last request of the agent `lead`, as `callId text`. */
  results(): readonly string[] {
    const messages = this.#lead.requests.at(-1)?.messages ?? []
    return messages.filter(({ role }) => role === 'tool').map(message => resultOf(message as ToolMessage))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#workers) await worker.release()
    await this.store[Symbol.asyncDispose]()
  }
}

/** An answer with one call for each tool. Its call ids contain the turn, so they are unique in the run. */
export function calls(turn: number, ...tools: readonly string[]): ScriptStep {
  return { toolCalls: tools.map((name, index) => ({ name, callId: `call_${turn}_${index}` })) }
}

function resultOf({ callId, content }: ToolMessage): string {
  return `${callId} ${content.map(part => (part.type === 'text' ? part.text : part.type)).join('')}`
}

/** Chooses the next answer by the number of answers in the transcript. So a resumed run gets the same answers. */
function inTurns(answers: readonly ScriptStep[]): Script {
  return ({ messages }) => answers[messages.filter(({ role }) => role === 'assistant').length] ?? 'No answer is left.'
}

function agentsOf(plot: Plot, leadModel: Model, started: string[]): readonly HostAgent[] {
  const { helper = ['Found.'], handle = (_, tool) => `${tool} done`, toolExecution } = plot
  const base = { description: 'Works.', input: { type: 'object' } } as const
  const execute = (tool: string) => (_: unknown, context: ToolContext) => {
    started.push(`${tool} ${context.callId}`)
    return handle(context, tool)
  }
  const tools = [
    defineTool({ ...base, name: 'read', effect: 'read', execute: execute('read') }),
    defineTool({ ...base, name: 'once', effect: 'once', execute: execute('once') }),
    defineTool({ ...base, name: 'ask', effect: 'once', permission: 'ask', execute: execute('ask') }),
    defineTool({
      ...base,
      name: 'help',
      effect: 'idempotent',
      execute: async (_, { delegate }) => {
        const result = await delegate?.({ agent: 'helper', input: 'look' })
        return result?.status === 'completed' ? result.text : `The helper ended as ${result?.status}.`
      },
    }),
  ]
  return [
    { name: 'lead', model: leadModel, tools, toolExecution },
    { name: 'helper', model: scriptedModel(inTurns(helper)), tools: tools.slice(0, 3) },
  ]
}
