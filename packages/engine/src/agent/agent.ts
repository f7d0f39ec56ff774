import type {
  ApprovalHandler,
  ContextPolicy,
  InputFilter,
  Limits,
  Middleware,
  Model,
  ModelSettings,
  RetryPolicy,
  Schema,
  TokenCounter,
  Tool,
  ToolSource,
} from '@parley/core'
import type { Instructions } from './instructions/instructions.ts'
import type { InputQueueOptions } from './input-queue.ts'
import type { OutputOptions } from './output/output-options.ts'
import type { PermissionPolicyRule } from './permission-policy.ts'
import type { Quota } from './quota/quota.ts'
import type { TruncationPolicy } from './truncation.ts'

/** Who answers: a model with instructions and tools. Plain data, shared by any number of runs. */
export interface Agent<out TOutput = unknown> {
  /** Unique in a runtime; journals refer to it. */
  readonly name: string
  /** What it is good for, told to agents that may call it or hand over to it. @default none */
  readonly description?: string | undefined
  /** What the model is told before everything else. @default none */
  readonly instructions?: Instructions | undefined
  /** The model, or its name in the runtime: one of `models`, or `provider/id`. @default the runtime's default */
  readonly model?: Model | string | undefined
  /** Tools, sources of tools, and names of those the runtime knows. @default none */
  readonly tools?: readonly (Tool | ToolSource | string)[] | undefined
  /**
   * Agents that may go on in its place, given whole or by the name the runtime knows: its model gets a tool
   * `transfer_to_<name>` for each. The limits of the agent a run began with go on holding. @default none
   */
  readonly handoffs?: readonly (string | Agent)[] | undefined
  /** @default 50 turns, 1,000,000 tokens, 10 minutes */
  readonly limits?: Limits | undefined
  /** At a limit: `stop` ends with outcome `limit`, `fail` ends as failed, `answer` first lets the model answer without tools. @default 'stop' */
  readonly onLimit?: 'stop' | 'fail' | 'answer' | undefined
  /** What happens to an answer that its length cut off. @default 'return' */
  readonly onTruncated?: TruncationPolicy | undefined
  /** How steering and follow-ups wait. */
  readonly queue?: InputQueueOptions | undefined
  /** How the calls of one answer run; a number is the size of batches. @default 'parallel' */
  readonly toolExecution?: 'parallel' | 'sequential' | { readonly batch: number } | undefined
  /**
   * Whether arguments that are no JSON are repaired, when the repair fits the tool's schema; `tool.started` says so.
   * Neither a truncated answer nor more than 100,000 characters are repaired. @default true
   */
  readonly repairArguments?: boolean | undefined
  /**
   * What the model is told about tools, by tool name, in the place of their own descriptions; nothing else about them
   * changes. A name that is no tool's is refused, unless sources bring tools that are not known beforehand.
   * @default the tools' own
   */
  readonly toolDescriptions?: Readonly<Record<string, string>> | undefined
  /** For tools that name none. @default none */
  readonly toolTimeoutMs?: number | undefined
  /** Look at what people send, in order, before the run takes it in. @default none */
  readonly inputFilters?: readonly InputFilter[] | undefined
  /** The first one sees a call first. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  readonly settings?: ModelSettings | undefined
  /** When its model calls are made again; lies over the provider's own policy, field by field. @default the provider's own */
  readonly retry?: RetryPolicy | undefined
  /** What a run must end with: `result.output` is a value that fits. @default text is enough */
  readonly output?: Schema | undefined
  readonly outputOptions?: OutputOptions | undefined
  /**
   * What of a long conversation is still sent. The journal and the result keep all of it.
   * @default slidingWindow(): the newest 100 messages, within the model's window when it is known
   */
  readonly context?: ContextPolicy | 'none' | undefined
  /** Tokens of input and output the model takes, over what its `info` says; `context` keeps within it. @default the model's */
  readonly contextWindow?: number | undefined
  /** Counts for the context policy. @default an estimate, corrected by what the provider counted */
  readonly tokenCounter?: TokenCounter | undefined
  /** Whether calls of tools may run: the first rule that fits a tool's name counts in the place of the tool's own permission. @default the tools' own */
  readonly permissions?: readonly PermissionPolicyRule[] | undefined
  /** What all runs of this agent in a runtime may take together, besides the runtime's own quota. @default unlimited */
  readonly quota?: Quota | undefined
  /**
   * Decides about calls that need a person's approval, while the run waits in this process. Without one, the run is
   * suspended in its store until `runtime.decide`; without a store either, such a call is refused. So is a question it sends on to
   * those it was asked for before.
   */
  readonly onApproval?: ApprovalHandler | undefined
  /** Never set: carries the type of `result.output`. */
  readonly types?: { readonly output: TOutput } | undefined
}
