import type { Clock, EphemeralEvent, RunWith } from '@parley/core'
import type { PreparedAgent, RunPolicy } from '../agent/prepare-agent.ts'
import type { RunState } from '../journal/run-state.ts'
import type { Delegations } from './children/delegations.ts'
import type { LimitedRun } from './children/spent-of-runs.ts'
import type { RunApprovals } from './run-approvals.ts'
import type { RunDue } from './run-due.ts'
import type { RunFeed } from './feed/run-feed.ts'
import type { RunJournal } from './run-journal.ts'
import type { RunMiddleware } from './run-middleware.ts'
import type { RunPrompt } from './run-prompt.ts'
import type { RunTools } from './run-tools.ts'
import type { RuntimePorts } from './runtime-ports.ts'
import type { Stopper } from './stopper.ts'

/** A driven run, as its steps see it. Steps read the state, record entries and use the ports; they know nothing else. */
export interface RunContext {
  /**
   * Identity of the run. All code shares this one object, so all code sees when a handoff changes `agent` or a rotated session
   * changes `sessionId`.
   */
  readonly facts: RunWith<unknown>
  readonly clock: Clock
  readonly runtime: RuntimePorts
  /** Stops the work of the run: cancel, limit, shutdown, lost claim. */
  readonly stopper: Stopper
  /** The state of the run, computed from its journal. */
  readonly state: RunState
  readonly journal: RunJournal
  /** The agent that answers now. */
  readonly agent: PreparedAgent
  /** The agent's policy, within the limits of the agent the run began with and of the parent run. */
  readonly policy: RunPolicy
  /** Computes the limits of `policy`. */
  readonly limited: LimitedRun
  readonly due: RunDue
  readonly tools: RunTools
  readonly prompt: RunPrompt
  readonly middleware: RunMiddleware
  readonly approvals: RunApprovals
  readonly delegations: Delegations
  /** Commands that other processes sent to the run. `undefined` if the store has no inbox. */
  readonly inbox: InboxPort | undefined
  /** Shows events to readers, middleware and the event bus. */
  readonly feed: RunFeed
  /** Shows an ephemeral event to readers. @param at Time of the event. @default now */
  emit(event: EphemeralEvent, at?: number): void
  /** Makes another agent answer from now on. Its tools are opened separately. */
  switchAgent(agent: PreparedAgent): void
}

/** Takes the commands of the run's inbox. */
export interface InboxPort {
  /** Resolves when every command that was in the inbox is recorded. Overlapping calls share the work. */
  take(): Promise<void>
}
