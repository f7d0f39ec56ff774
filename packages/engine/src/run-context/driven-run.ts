import {
  createSteadyClock,
  type Clock,
  type EphemeralEvent,
  type ModelSettings,
  type RunEvent,
  type RunWith,
  type RunInbox,
} from '@parley/core'
import type { ClientTools } from '../agent/tools/client-tools.ts'
import type { PreparedAgent, RunPolicy } from '../agent/prepare-agent.ts'
import { QuotaLedger } from '../agent/quota/quota-ledger.ts'
import type { RunState } from '../journal/run-state.ts'
import type { Delegations } from './children/delegations.ts'
import type { ParentCall } from './children/parent-call.ts'
import type { RequestCapture } from './request-capture.ts'
import { RunAgent } from './run-agent.ts'
import { RunApprovals } from './run-approvals.ts'
import type { InboxPort, RunContext } from './run-context.ts'
import { RunDue } from './run-due.ts'
import { RunFeed } from './feed/run-feed.ts'
import type { JournalStore } from './entry-writer.ts'
import { RunJournal } from './run-journal.ts'
import { RunMiddleware } from './run-middleware.ts'
import { RunPrompt } from './run-prompt.ts'
import { RunTools } from './run-tools.ts'
import type { RuntimePorts } from './runtime-ports.ts'
import { Stopper } from './stopper.ts'

/** Implementations of the run context's ports. Folders that this folder must not import provide them. */
export interface RunPorts {
  readonly delegationsOf: (run: RunContext) => Delegations
  readonly inboxOf: (run: RunContext, inbox: RunInbox) => InboxPort
  readonly pullSteering: (run: RunContext) => Promise<void>
}

export interface DrivenRunOptions {
  readonly facts: RunWith<unknown>
  /** The agent that the run begins with. Its limits hold for the whole run. */
  readonly agent: PreparedAgent
  readonly runtime: RuntimePorts
  readonly ports: RunPorts
  readonly state: RunState
  /** Where the journal is kept. @default nowhere */
  readonly target?: JournalStore | undefined
  /** Settings of the run, over those of its agents. */
  readonly settings?: ModelSettings | undefined
  /** Tools that the client executes. */
  readonly clientTools?: ClientTools | undefined
  /** Whether requests to models are shown or kept. @default the parent run's, else the runtime's */
  readonly captures?: RequestCapture | undefined
  /** Set for a child run. */
  readonly parent?: ParentCall | undefined
}

/** The context of a run that this process drives. */
export class DrivenRun implements RunContext {
  readonly facts: RunWith<unknown> & { agent: string; sessionId: string }
  readonly clock: Clock
  readonly runtime: RuntimePorts
  readonly stopper = new Stopper()
  readonly feed: RunFeed
  readonly journal: RunJournal
  readonly due: RunDue
  readonly tools: RunTools
  readonly prompt: RunPrompt
  readonly middleware: RunMiddleware
  readonly approvals: RunApprovals
  readonly delegations: Delegations
  readonly inbox: InboxPort | undefined
  readonly limited: RunAgent

  constructor(options: DrivenRunOptions) {
    const { facts, agent, runtime, ports, state, target, settings, clientTools, captures, parent } = options
    // The duration limit must not depend on whether the machine's time is set. A child run shares the time of its parent run.
    const clock = parent?.run.clock ?? createSteadyClock(runtime.clock)
    this.facts = facts
    this.clock = clock
    this.runtime = runtime
    this.feed = new RunFeed(this, { outer: parent?.run.feed, sink: runtime.sinkFor(facts) })
    this.journal = new RunJournal({ facts, clock, state, target, feed: this.feed, quotas: new QuotaLedger(this) })
    this.limited = new RunAgent({ agent, settings, clientTools, run: this, parent })
    this.prompt = new RunPrompt(this, captures ?? parent?.run.prompt.captures ?? runtime.captureRequests)
    this.tools = new RunTools(this)
    this.due = new RunDue(this)
    this.middleware = new RunMiddleware(this, () => ports.pullSteering(this))
    this.approvals = new RunApprovals(this, parent?.run.approvals, target !== undefined)
    this.delegations = ports.delegationsOf(this)
    const inbox = target?.store.inbox
    this.inbox = inbox === undefined ? undefined : ports.inboxOf(this, inbox)
    this.switchAgent(agent)
  }

  get state(): RunState {
    return this.journal.state
  }

  get agent(): PreparedAgent {
    return this.limited.current
  }

  get policy(): RunPolicy {
    return this.limited.policy
  }

  emit(event: EphemeralEvent, at?: number): void {
    if (!this.feed.wants(event.type)) return
    const { runId, sessionId, path } = this.facts
    const { type } = event
    const time = at ?? this.clock.now()
    // The known fields come first, as in the journal. The cast is safe: the compiler cannot follow the spread of each event.
    const full = { type, runId, sessionId, path, seq: this.state.seq, at: time, ...(event as object) } as RunEvent
    this.feed.show(full)
  }

  switchAgent(agent: PreparedAgent): void {
    this.limited.switch(agent)
    this.prompt.onAgentChanged()
    this.facts.agent = agent.definition.name
    this.middleware.use(agent.definition.middleware ?? [])
  }
}
