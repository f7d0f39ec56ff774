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
import type { TruncationPolicy } from './truncated-answer.ts'

/** A model with instructions and tools. Plain data; any number of runs may share it. */
export interface Agent<out TOutput = unknown> {
  /** Name of the agent, unique in a runtime. Journals refer to agents by name. */
  readonly name: string
  /** What the agent can do, for the models of agents that may call it or hand a run over to it. @default none */
  readonly description?: string | undefined
  /** Instructions for the model, before the conversation. @default none */
  readonly instructions?: Instructions | undefined
  /** The model, or its name in the runtime: one of `models`, or `provider/id`. @default the runtime's default */
  readonly model?: Model | string | undefined
  /** Tools, tool sources, and names of tools or sources that the runtime knows. @default none */
  readonly tools?: readonly (Tool | ToolSource | string)[] | undefined
  /**
   * Agents that may continue a run instead of this one: definitions, or names that the runtime knows. The model gets a tool
   * `transfer_to_<name>` for each. The limits of the run's first agent stay in force. @default none
   */
  readonly handoffs?: readonly (string | Agent)[] | undefined
  /** Limits of a run that begins with this agent. @default 50 turns, 1,000,000 tokens, 10 minutes, 10 levels of child runs */
  readonly limits?: Limits | undefined
  /**
   * What happens at a limit: `stop` ends the run with the outcome `limit`. `fail` ends it as failed. `answer` lets the
   * model answer once without tools, and then does what `stop` does. @default 'stop'
   */
  readonly onLimit?: 'stop' | 'fail' | 'answer' | undefined
  /** What happens to an answer that the provider truncated because of its length. @default 'return' */
  readonly onTruncated?: TruncationPolicy | undefined
  /** How steering messages and follow-ups are queued. */
  readonly queue?: InputQueueOptions | undefined
  /** How the tool calls of one answer run. `batch` is the number of calls that run concurrently. @default 'parallel' */
  readonly toolExecution?: 'parallel' | 'sequential' | { readonly batch: number } | undefined
  /**
   * Whether invalid JSON in tool arguments is repaired, if the result matches the tool's schema. `tool.started` then has
   * `repaired`. Truncated answers and more than 100,000 characters are not repaired. @default true
   */
  readonly repairArguments?: boolean | undefined
  /**
   * Descriptions for the model, by tool name, instead of the tools' own. An unknown name is refused, unless a tool source
   * may bring the tool later.
   * @default the tools' own
   */
  readonly toolDescriptions?: Readonly<Record<string, string>> | undefined
  /** Milliseconds after which a tool call is stopped, for tools without their own timeout. @default none */
  readonly toolTimeoutMs?: number | undefined
  /** Filters that check each user message, in order, before the run reads it. @default none */
  readonly inputFilters?: readonly InputFilter[] | undefined
  /** Comes after the middleware of the runtime's defaults. The first one sees a call first and its result last. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  readonly settings?: ModelSettings | undefined
  /**
   * Whether runs may bring tools that the client executes. Their names, descriptions and results come from outside.
   * @default 'refuse'
   */
  readonly clientTools?: 'accept' | 'refuse' | undefined
  /** When failed model calls are retried. Overrides the provider's policy field by field. @default the provider's own */
  readonly retry?: RetryPolicy | undefined
  /**
   * The schema that the run's output must match. The value is `result.output`. @default none: the run ends with a text
   */
  readonly output?: Schema | undefined
  readonly outputOptions?: OutputOptions | undefined
  /**
   * Decides which part of a long conversation is sent to the model. The journal and the result keep the whole
   * conversation.
   * @default the newest 100 messages, within the model's context window if it is known
   */
  readonly context?: ContextPolicy | 'none' | undefined
  /** The model's context window in tokens of input and output. Overrides the model's `info`. @default the model's */
  readonly contextWindow?: number | undefined
  /** Counts tokens for the context policy. @default an estimate, corrected by the provider's counts */
  readonly tokenCounter?: TokenCounter | undefined
  /** Permissions by tool name, instead of the tools' own. The first matching rule counts. @default the tools' own */
  readonly permissions?: readonly PermissionPolicyRule[] | undefined
  /** What all runs of this agent in a runtime may use together, in addition to the runtime's quota. @default unlimited */
  readonly quota?: Quota | undefined
  /**
   * Decides about tool calls that require approval, in this process. Without a handler, the run is suspended in its
   * store until `runtime.decide`. Without a handler and a store, the call is denied. A request that the handler
   * escalates to the same roles twice is treated as if there were no handler.
   */
  readonly onApproval?: ApprovalHandler | undefined
  /** Never set. Carries the type of `result.output`. */
  readonly types?: { readonly output: TOutput } | undefined
}
