import { createId, totalTokens } from '@parley/core'
import type { Run } from '@parley/engine'
import { answer, showAndAnswer, type AnswerOptions, type Waiting } from '../ask/answer-requests.ts'
import { openAnswering } from '../ask/present-run.ts'
import type { Composition } from '../compose/open-composition.ts'
import { toMetadata, type AgentFlags } from '../flags/agent-flags.ts'
import type { ShownRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'
import { onDatabase } from '../store/database.ts'

export interface ChatOptions {
  readonly flags: AgentFlags
  readonly database: string
  /** How the user calls the CLI. */
  readonly command: string
  readonly terminal: Terminal
  /** Session to continue. @default a new session */
  readonly sessionId?: string | undefined
}

/** A chat at a terminal: its agent, its session, and what it has used. */
export class ChatSession {
  readonly options: ChatOptions
  /** Names the next answers' session. A command may change it. */
  sessionId: string
  /** The newest run of the chat. */
  lastRunId: string | undefined
  readonly used = { runs: 0, tokens: 0, usd: 0, isCostKnown: true }
  readonly always = new Set<string>()
  #flags: AgentFlags
  #composition: Composition
  #agent: string

  constructor(composition: Composition, options: ChatOptions) {
    this.options = options
    this.sessionId = options.sessionId ?? createId(Date.now())
    this.#composition = composition
    this.#flags = options.flags
    this.#agent = composition.agent.name
  }

  get composition(): Composition {
    return this.#composition
  }

  get agent(): string {
    return this.#agent
  }

  /** Lets another agent of the composition answer from now on. */
  useAgent(name: string): void {
    this.#agent = name
    this.#flags = { ...this.#flags, agent: this.#flags.config === undefined ? undefined : name }
  }

  /** Lets another model answer from now on. */
  async useModel(model: string): Promise<void> {
    const { openComposition } = await import('../compose/open-composition.ts')
    const flags = { ...this.#flags, model }
    // Opened first: an unknown model changes nothing.
    const next = await openComposition(flags, this.options.database)
    await this.#composition[Symbol.asyncDispose]()
    this.#composition = next
    this.#flags = flags
  }

  /** Starts a run that answers a message. */
  start(message: Parameters<Composition['runtime']['run']>[1]): Run {
    const { runtime } = this.#composition
    return runtime.run(this.#agent, message, { sessionId: this.sessionId, metadata: toMetadata(this.#flags) })
  }

  /** Shows a run and asks what it waits for. */
  async show(run: ShownRun): Promise<void> {
    const answering = await this.#answering()
    const result = await showAndAnswer(run, answering)
    this.lastRunId = result.runId
    this.sessionId = result.sessionId
    this.used.runs += 1
    this.used.tokens += totalTokens(result.usage)
    if (result.cost === undefined) this.used.isCostKnown = false
    else this.used.usd += result.cost.usd
  }

  /** Returns the request that the newest run of the chat waits for. `undefined` if it waits for nothing. */
  async pending(): Promise<Waiting | undefined> {
    const runId = this.lastRunId
    if (runId === undefined) return undefined
    const pending = await this.#composition.runtime.pending(runId)
    return pending.approvals.length + pending.clientCalls.length === 0 ? undefined : { runId, ...pending }
  }

  /** Asks what a run waits for, and shows how it continues. */
  async answer(waiting: Waiting): Promise<void> {
    const run = await answer(waiting, await this.#answering())
    if (run !== undefined) await this.show(run)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#composition[Symbol.asyncDispose]()
  }

  async #answering(): Promise<AnswerOptions> {
    const { terminal, database, command } = this.options
    const { runtime } = this.#composition
    const place = onDatabase(database)
    const options = { mode: 'text', place, command, runtime, always: this.always } as const
    const onLeft = (): void => terminal.out('The run still waits. /approve asks again.\n')
    return { ...(await openAnswering(terminal, options)), onLeft }
  }
}
