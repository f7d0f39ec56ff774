import { createRuntime, type Runtime } from '@parley/engine'
import type { RunRecord, Store } from '@parley/core'
import type { Fleet } from './fleet.ts'
import { KINDS, type Kind } from './kinds.ts'
import type { StormCommand } from './storm-command.ts'

/** A command that the storm sent, and what became known of it. */
export interface SentCommand {
  readonly command: StormCommand
  /** The code of the refusal, or `no answer` if the worker died first. `undefined` for a command that was accepted. */
  readonly refused: string | undefined
}

export interface TrafficOptions {
  readonly fleet: Fleet
  readonly store: Store
  readonly random: () => number
}

/** Largest number of unfinished runs at the same time. */
const RUNS = 24
const SESSIONS = 3
/** Milliseconds until a request that got no decision is decided again. */
const AGAIN_MS = 1_500

/** Starts runs, and commands them from several processes at once. */
export class Traffic {
  readonly #options: TrafficOptions
  readonly #reader: Runtime
  readonly #tried = new Map<string, number>()
  readonly #open = new Set<Promise<void>>()
  started = 0
  readonly sent: SentCommand[] = []

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#reader = createRuntime({ store: options.store })
  }

  /** Starts runs until enough are unfinished, and sends some of each command. */
  async tick(): Promise<void> {
    const unfinished = await this.#unfinished()
    for (let count = Math.min(3, RUNS - unfinished.length); count > 0; count--) this.#start()
    await this.#answer(unfinished)
    const victim = this.#pick(unfinished)
    if (victim === undefined) return
    const { runId } = victim
    const at = this.#options.random()
    if (at < 0.06) this.#both({ type: 'cancel', runId })
    else if (at < 0.12) this.#one({ type: 'steer', runId })
    else if (at < 0.18) this.#both({ type: 'resume', runId })
  }

  /** Only decides what is pending. @returns The runs that have neither ended nor are left for a decision. */
  async settle(): Promise<readonly RunRecord[]> {
    const unfinished = await this.#unfinished()
    await this.#answer(unfinished)
    return unfinished
  }

  /** Waits until every command that was sent is answered. */
  async close(): Promise<void> {
    await Promise.all(this.#open)
    await this.#reader.close()
  }

  #chance(share: number): boolean {
    return this.#options.random() < share
  }

  #pick<TValue>(values: readonly TValue[]): TValue | undefined {
    return values[Math.floor(this.#options.random() * values.length)]
  }

  async #unfinished(): Promise<readonly RunRecord[]> {
    const { store } = this.#options
    const list = (status: 'running' | 'suspended') =>
      store.runs({ scope: 'default', status, limit: Number.MAX_SAFE_INTEGER })
    const found = [...(await list('running')), ...(await list('suspended'))]
    return found.filter(record => record.relation !== 'sub-agent' && !(record.status === 'suspended' && isLeft(record)))
  }

  #start(): void {
    const kind = this.#pickKind()
    const number = ++this.started
    const runId = `${kind.name}-${number}`
    const sessionId = kind.inSession === true ? `session-${number % SESSIONS}` : runId
    this.#one({ type: 'start', runId, agent: kind.name, sessionId })
  }

  #pickKind(): Kind {
    const total = KINDS.reduce((sum, { weight = 1 }) => sum + weight, 0)
    let at = this.#options.random() * total
    return KINDS.find(({ weight = 1 }) => (at -= weight) < 0) ?? (KINDS[0] as Kind)
  }

  /** Answers each pending request from two processes at the same time. */
  async #answer(unfinished: readonly RunRecord[]): Promise<void> {
    for (const record of unfinished) {
      if (isLeft(record)) continue
      const { runId } = record
      const pending = await this.#reader.pending(runId).catch(() => undefined)
      for (const { approvalId } of pending?.approvals ?? []) {
        if (!this.#isDue(approvalId)) continue
        this.#both(() => ({ type: 'decide', runId, approvalId, verdict: this.#chance(0.7) ? 'approved' : 'rejected' }))
        if (this.#chance(0.05)) this.#one({ type: 'cancel', runId })
      }
      for (const { requestId, callId, runId: childId = runId } of pending?.clientCalls ?? []) {
        if (!this.#isDue(requestId)) continue
        let nth = 0
        this.#both(() => ({ type: 'submit', runId: childId, callId, text: `client ${++nth} of ${requestId}` }))
      }
    }
  }

  #isDue(requestId: string): boolean {
    const now = performance.now()
    if (now < (this.#tried.get(requestId) ?? 0) + AGAIN_MS) return false
    this.#tried.set(requestId, now)
    return true
  }

  #both(command: StormCommand | (() => StormCommand)): void {
    const targets = this.#options.fleet.targets(this.#options.random).slice(0, 2)
    for (const target of targets) this.#send(target, typeof command === 'function' ? command() : command)
  }

  #one(command: StormCommand): void {
    const [target] = this.#options.fleet.targets(this.#options.random)
    if (target !== undefined) this.#send(target, command)
  }

  #send(target: ReturnType<Fleet['targets']>[number], command: StormCommand): void {
    const sending = this.#options.fleet.send(target, command).then(answer => {
      this.sent.push({ command, refused: answer === undefined ? 'no answer' : answer.refused })
      this.#open.delete(sending)
    })
    this.#open.add(sending)
  }
}

function isLeft({ agent }: RunRecord): boolean {
  return KINDS.find(({ name }) => name === agent)?.isLeft === true
}
