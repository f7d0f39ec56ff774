import type { ClientTool, Json, Message, ModelSettings, Principal, ToolResultPart, UserMessage } from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import type { ParentRef } from '../run-context/children/parent-ref.ts'
import type { RequestCapture } from '../run-context/request-capture.ts'
import type { DurableHost } from './durable-host.ts'

/** The last argument of `run`. Required if the agent's tools read a context. */
export type RunArguments<TContext> = unknown extends TContext
  ? [options?: RunOptions]
  : [options: RunOptions<TContext> & { readonly context: TContext }]

/** How one run differs from the other runs of its agent. */
export interface RunOptions<TContext = unknown> {
  /** Continues the session: the run starts from the session's last run, if the store has one. @default a new session */
  readonly sessionId?: string | undefined
  /**
   * Begins a new session if the last run of `sessionId` was written more than this number of milliseconds ago.
   * `run.sessionId` is then the new session's id, and its first entry names the old session (`previousSession`). The
   * new session starts without the old transcript. A later run that asks for the old session joins the new one.
   * @default sessions do not expire
   */
  readonly rotateAfterMs?: number | undefined
  /**
   * Messages before the input, for a session without runs: a session that the store knows remembers its messages, and they
   * count instead. Repaired if they are not a valid transcript. @default none
   */
  readonly history?: readonly Message[] | undefined
  /** Instructions after the agent's own, also for agents that the run is handed over to. @default none */
  readonly instructions?: string | undefined
  /**
   * Name of the model that the run asks, in the runtime: one of `models`, or `provider/id`. Agents that the run is handed over to
   * keep theirs. @default the agent's model
   */
  readonly model?: string | undefined
  /** Model settings over the agent's own, field by field, also for agents that the run is handed over to. @default none */
  readonly settings?: ModelSettings | undefined
  /**
   * Tools that the client executes, in addition to the tools of agents whose `clientTools` is `accept`. A call of such
   * a tool suspends the run until `runtime.submitToolResult`. At most 128 tools and 256,000 characters. @default none
   */
  readonly clientTools?: readonly ClientTool[] | undefined
  /** Whether agents that do not say so accept `clientTools`, for this run. @default false */
  readonly acceptClientTools?: boolean | undefined
  /** The user or service for which the run acts. @default none */
  readonly principal?: Principal | undefined
  /** Values for the templates among the agent's instructions, by name. @default none */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /**
   * The directory that the run's tools work in. Tools receive it as `context.run.workspace`; resumed runs and child runs
   * keep it. Each tool decides which directories it accepts: `@parley/tools` requires one inside its own workspace.
   * @default the directory that each tool was created with
   */
  readonly workspace?: string | undefined
  /**
   * Data for the code of the run, for example the id of the user: tools, functions among the instructions and middleware read it
   * as `run.context`. Child runs have it too. It must be JSON, because the journal keeps it: a run that is resumed, in any
   * process, has the same context. So it holds no secrets and no connections: tools get these where they are made, and find
   * what belongs to the user by an id of the context.
   * @default none
   */
  readonly context?: TContext | undefined
  /** Kept in the journal's first entry. The runtime does not read it. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /** The partition of the store that the run belongs to. @default 'default' */
  readonly scope?: string | undefined
  /** The id of the run, for code that must know it before the run begins. Must be unique. @default a new id */
  readonly runId?: string | undefined
  /** Takes the run's steps. The host then watches when the run's requests for approval expire. @default this process */
  readonly host?: DurableHost | undefined
  /** The parent call, if a host drives the parent run in another process. The run then takes no place under quotas. @default none */
  readonly parent?: ParentRef | undefined
  /**
   * Whether requests to models are shown or kept, also for child runs. A resumed run uses the runtime's option.
   * @default the runtime's
   */
  readonly captureRequests?: RequestCapture | undefined
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal | undefined
}

/** Options of a run that repeats or branches from another run. */
export interface BranchOptions extends Omit<RunOptions, 'history' | 'rotateAfterMs'> {
  /** Input of the new run, instead of the other run's. @default the input of the other run */
  readonly input?: string | UserMessage | undefined
  /** Agent that the new run begins with. @default the agent of the other run */
  readonly agent?: string | Agent | undefined
  /** Instructions after the agent's own. @default those of the other run, if the agent is the same */
  readonly instructions?: string | undefined
  /** Name of the model. @default that of the other run, if the agent is the same */
  readonly model?: string | undefined
  /** Model settings over the agent's own. @default those of the other run, if the agent is the same */
  readonly settings?: ModelSettings | undefined
  /** Values for the templates among the agent's instructions. @default those of the other run, if the agent is the same */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** Session of the new run. @default the session of the other run */
  readonly sessionId?: string | undefined
  /** Tools that the client executes. @default those of the other run, if the agent is the same */
  readonly clientTools?: readonly ClientTool[] | undefined
  /** Data for the code of the run. @default that of the other run */
  readonly context?: unknown
  /** Data for the first journal entry. @default that of the other run */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /** The directory that the run's tools work in. @default that of the other run */
  readonly workspace?: string | undefined
}

/** Options of `runtime.fork`. */
export interface ForkOptions extends BranchOptions {
  /** Number of the last entry of the other run that the new run continues from. @default the journal's last entry */
  readonly at?: number | undefined
  /** A message after the transcript up to `at`. @default none: the model answers that transcript */
  readonly input?: string | UserMessage | undefined
  /**
   * Results of tool calls up to `at` that replace the recorded ones in the new run's transcript. No tool runs for them. @default none
   */
  readonly results?: readonly ReplacedResult[] | undefined
}

/** Another result of a tool call. */
export interface ReplacedResult {
  readonly callId: string
  readonly content: string | readonly ToolResultPart[]
  /** The result as data. @default none */
  readonly structured?: Json | undefined
  /** Whether the model reads the result as a failure. @default false */
  readonly isError?: boolean | undefined
}

/** Options of `runtime.compact`. */
export interface CompactOptions extends Omit<
  RunOptions,
  | 'history'
  | 'sessionId'
  | 'rotateAfterMs'
  | 'instructions'
  | 'model'
  | 'settings'
  | 'clientTools'
  | 'acceptClientTools'
  | 'captureRequests'
  | 'workspace'
> {
  /** The agent whose context policy, model and middleware are used. @default the agent of the session's newest run */
  readonly agent?: string | Agent | undefined
  /** Data for the code of the run. @default that of the session's newest run */
  readonly context?: unknown
  /** Data for the first journal entry. @default that of the session's newest run */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
}
