import type { Json, ModelSettings, RunStatus, ToolEffect, ToolResultPart, UserPart } from '@parley/core'

/** Changes of an agent for one run. */
export interface RunChanges {
  /** Name of the agent. @default the agent of the other run */
  readonly agent?: string | undefined
  /** Name of a model that the server knows. @default the agent's model */
  readonly model?: string | undefined
  /** Instructions after the agent's own. @default those of the other run, if the agent is the same */
  readonly instructions?: string | undefined
  /** Model settings over the agent's own, field by field. @default those of the other run, if the agent is the same */
  readonly settings?: ModelSettings | undefined
}

/** Body of `POST /runs`. */
export interface StartRequest extends RunChanges {
  readonly agent: string
  /** A text, or texts and files. */
  readonly input: string | readonly UserPart[]
  /** Continues this session. @default a new session */
  readonly sessionId?: string | undefined
  /** Values for the templates in the agent's instructions: the inputs of a workflow. */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /** Data for the code of the run, which may trust it. Requires the access `admin`. */
  readonly context?: Json | undefined
}

/** Body of `POST /runs/{id}/fork` and of `POST /runs/{id}/fork/plan`. */
export interface ForkRequest extends RunChanges {
  /** Number of the last entry that the new run continues from. @default the last entry */
  readonly at?: number | undefined
  /** A user message after the transcript up to `at`. @default none: the model answers that transcript */
  readonly input?: string | readonly UserPart[] | undefined
  /** Results of tool calls that replace the recorded ones in the new run's transcript. */
  readonly results?: readonly ReplacedResult[] | undefined
  /** Session of the new run. With the session of the other run, that session continues from the fork. @default a new session */
  readonly sessionId?: string | undefined
}

/** The result of a tool call, as the model of a fork reads it. The tool does not run. */
export interface ReplacedResult {
  readonly callId: string
  /** A text, or texts and files. */
  readonly content: string | readonly ToolResultPart[]
  /** The result as data. */
  readonly structured?: Json | undefined
  readonly isError?: boolean | undefined
}

/** What a fork would do. Nothing has changed. */
export interface ForkPlan {
  readonly at: number
  /** Why the fork is refused. Absent if it is possible. */
  readonly refusal?: string | undefined
  /** Whether the transcript up to `at` has nothing to answer, so that `input` is required. */
  readonly needsInput: boolean
  /** Calls whose recorded results the new run keeps. They never run again. */
  readonly kept: readonly ForkCall[]
  /** Calls whose results the request replaces. They do not run again. */
  readonly replaced: readonly ForkCall[]
  /** Calls without a result at `at`. They do not run; the model reads that they were cancelled or interrupted. */
  readonly open: readonly ForkCall[]
  /** Calls after `at`. They run again if the model of the fork makes them again. */
  readonly again: readonly ForkCall[]
}

/** A tool call of the run that is forked. */
export interface ForkCall {
  readonly callId: string
  readonly name: string
  /** Absent if the tool was not started. */
  readonly effect?: ToolEffect | undefined
  /** Number of the entry that ended the call. Absent if it has not ended. */
  readonly seq?: number | undefined
}

/** Body of `POST /runs/{id}/rerun`. */
export interface RerunRequest extends RunChanges {
  /** How many runs to start, 1 to 10. @default 1 */
  readonly times?: number | undefined
  /** Another input. @default the input of the other run */
  readonly input?: string | readonly UserPart[] | undefined
  /** Session of the new run, if `times` is 1. @default a new session for each run */
  readonly sessionId?: string | undefined
}

/** A run that a request has started. */
export interface StartedRun {
  readonly runId: string
  readonly sessionId: string
}

/** Answer of `POST /runs/{id}/rerun`. */
export interface StartedRuns {
  readonly runs: readonly StartedRun[]
}

/** Body of `POST /runs/{id}/steer` and of `POST /runs/{id}/follow-up`. */
export interface MessageRequest {
  readonly message: string | readonly UserPart[]
}

/** Body of `POST /runs/{id}/cancel`. */
export interface CancelRequest {
  /** Why the run is cancelled, for its journal. @default none */
  readonly reason?: string | undefined
}

/** Body of `POST /runs/{id}/compact`. */
export interface CompactRequest {
  /** Number of newest turns that stay unchanged. @default 4 */
  readonly keep?: number | undefined
  /** Subject that the summary describes in most detail. @default none */
  readonly focus?: string | undefined
}

/** Body of `POST /runs/{id}/results`: the result of a tool call that waits for the client. */
export interface SubmitRequest {
  readonly callId: string
  /** A text for the model, or data. */
  readonly output: Json
  /** Whether the call failed. The model then reads `output` as an error. @default false */
  readonly isError?: boolean | undefined
}

/** The run after a verb: its status in the store when the verb had become durable. */
export interface RunState {
  readonly runId: string
  readonly status: RunStatus
}

/** Answer of `POST /runs/{id}/prune`. `pruned` is false for a run that is unfinished, or that another run continues. */
export interface PruneResult {
  readonly pruned: boolean
}

/** A Vitest file that repeats a run with a scripted model: `GET /runs/{id}/as-test`. */
export interface TestFile {
  readonly name: string
  readonly text: string
}
