import {
  ParleyError,
  type ApprovalHandler,
  type Message,
  type Middleware,
  type Model,
  type ModelSettings,
  type UserMessage,
} from '@parley/core'
import { defineAgent, type Agent, type Limits } from '@parley/engine'
import type { PromptyAgent } from '../format/prompty-agent.ts'
import type { PromptyInputs } from '../format/validate-inputs.ts'
import { buildTools, type BuiltTools } from '../tools/build-tools.ts'
import type { Guardrails } from './guardrails.ts'
import { promptMiddleware } from './prompt-middleware.ts'
import type { PromptyHost, PromptyToolHandler } from '../host/prompty-host.ts'
import { apiTypeOf, modelIdOf, resolveProvider } from '../host/resolve-provider.ts'
import type { Prompt } from './to-prompt.ts'
import { toSettings } from './to-settings.ts'

/** Options for running a file as an agent. */
export interface AgentOptions {
  /** Functions and tools, by the names in the file. @default {} */
  readonly tools?: Readonly<Record<string, PromptyToolHandler>> | undefined
  /** Maximum number of model calls. @default 10 */
  readonly maxIterations?: number | undefined
  /** Model to call instead of the model of the file. @default the file's */
  readonly model?: Model | undefined
  /** Additional settings. They override the options of the file. @default {} */
  readonly settings?: ModelSettings | undefined
  /** Whether the tool calls of one answer run concurrently. @default false */
  readonly parallelToolCalls?: boolean | undefined
  /** Checks of requests, answers and tool calls. @default none */
  readonly guardrails?: Guardrails | undefined
  /**
   * Maximum number of characters in a request. If a request is longer, a summary replaces its older messages.
   * @default no limit
   */
  readonly contextBudget?: number | undefined
  /** Limits besides `maxIterations`. @default the engine's */
  readonly limits?: Omit<Limits, 'maxTurns'> | undefined
  /** Middleware around the middleware of the file. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  /**
   * Decides on tool calls that ask permission.
   * @default none: the run is suspended in its store, or the call is denied without a store
   */
  readonly onApproval?: ApprovalHandler | undefined
  /** Aborting it cancels the run. @default none */
  readonly signal?: AbortSignal | undefined
}

export const DEFAULT_MAX_ITERATIONS = 10

export interface AssembleRequest {
  readonly name: string
  /** Values for bound parameters. */
  readonly inputs: PromptyInputs
  readonly stream: boolean
  /** Makes the prompt that replaces the first message of a conversation, for a provider of that name. */
  readonly promptOf: (first: UserMessage, provider: string) => Prompt | Promise<Prompt>
  readonly trim?: ((prompt: Prompt) => Promise<readonly Message[]>) | undefined
  readonly options: AgentOptions
}

export interface AssembledAgent {
  readonly agent: Agent
  readonly model: Model
  readonly tools: BuiltTools
}

/** Makes an agent from a file. @throws ParleyError `config-invalid` if the host lacks something that the file requires. */
export async function assembleAgent(
  host: PromptyHost,
  prompt: PromptyAgent,
  { name, inputs, stream, promptOf, trim, options }: AssembleRequest,
): Promise<AssembledAgent> {
  const { maxIterations = DEFAULT_MAX_ITERATIONS, parallelToolCalls = false, guardrails, signal } = options
  requireModelCalls(prompt)
  const model = options.model ?? (await resolveProvider(host, prompt, { stream, signal })).model(modelIdOf(prompt))
  const tools = await buildTools(host, prompt, { tools: options.tools, inputs, signal })
  const prompting = promptMiddleware({ promptOf: first => promptOf(first, model.provider), tools, guardrails, trim })
  const agent = defineAgent({
    name,
    model,
    tools: tools.tools,
    settings: { ...toSettings(prompt, model.provider), ...options.settings },
    limits: { ...options.limits, maxTurns: maxIterations },
    onLimit: 'fail',
    toolExecution: parallelToolCalls ? 'parallel' : 'sequential',
    // Agent mode sends invalid JSON arguments back to the model with a text that the format prescribes.
    repairArguments: false,
    // The prompt replaces the first message, so that message must never be dropped.
    context: 'none',
    middleware: [...(options.middleware ?? []), prompting],
    ...(options.onApproval === undefined ? {} : { onApproval: options.onApproval }),
  })
  return { agent, model, tools }
}

/** Checks that the file calls a chat API. @throws ParleyError `config-invalid` if the API of the file is not a conversation. */
export function requireModelCalls({ model, path = 'prompt' }: PromptyAgent): void {
  const apiType = apiTypeOf({ model })
  if (apiType === 'chat' || apiType === 'responses') return
  throw new ParleyError({
    code: 'config-invalid',
    path: `${path} model.apiType`,
    detail: `is '${apiType}'; must be chat or responses. Use invoke for '${apiType}'.`,
  })
}
