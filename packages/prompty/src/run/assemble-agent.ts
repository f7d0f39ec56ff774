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
import { modelIdOf, resolveProvider } from '../host/resolve-provider.ts'
import type { Prompt } from './to-prompt.ts'
import { toSettings } from './to-settings.ts'

/** How a file becomes an agent. */
export interface AgentOptions {
  /** Functions and tools by the names the file declares. @default {} */
  readonly tools?: Readonly<Record<string, PromptyToolHandler>> | undefined
  /** Most model calls. @default 10 */
  readonly maxIterations?: number | undefined
  /** Asked instead of the model the file names. @default the file's */
  readonly model?: Model | undefined
  /** What else the model is told; wins over the file's options. @default {} */
  readonly settings?: ModelSettings | undefined
  /** Whether the calls of one answer run at once. @default false */
  readonly parallelToolCalls?: boolean | undefined
  readonly guardrails?: Guardrails | undefined
  /** Most characters of a request; older messages then give way to a summary. @default no limit */
  readonly contextBudget?: number | undefined
  /** Besides `maxIterations`. @default the engine's */
  readonly limits?: Omit<Limits, 'maxTurns'> | undefined
  /** Around everything else. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  /** Decides about tools that need a person. @default the engine's rule */
  readonly onApproval?: ApprovalHandler | undefined
  readonly signal?: AbortSignal | undefined
}

export const DEFAULT_MAX_ITERATIONS = 10

export interface AssembleRequest {
  readonly name: string
  /** What bindings take their values from. */
  readonly inputs: PromptyInputs
  readonly stream: boolean
  /** What the first message of a conversation stands for, for a provider of that name. */
  readonly promptOf: (first: UserMessage, provider: string) => Prompt | Promise<Prompt>
  readonly trim?: ((prompt: Prompt) => Promise<readonly Message[]>) | undefined
  readonly options: AgentOptions
}

export interface AssembledAgent {
  readonly agent: Agent
  readonly model: Model
  readonly tools: BuiltTools
}

/** @throws ParleyError `config-invalid` for whatever the file or the options ask for and the host does not have. */
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
    // Arguments that are no JSON are told to the model, in the words of agent mode.
    repairArguments: false,
    // The first message stands for the prompt: none may be left out.
    context: 'none',
    middleware: [...(options.middleware ?? []), prompting],
    ...(options.onApproval === undefined ? {} : { onApproval: options.onApproval }),
  })
  return { agent, model, tools }
}

/** @throws ParleyError `config-invalid` for a file whose API makes no conversation. */
export function requireModelCalls({ model: { apiType = 'chat' }, path = 'prompt' }: PromptyAgent): void {
  if (apiType === 'chat' || apiType === 'responses') return
  throw new ParleyError({
    code: 'config-invalid',
    path: `${path} model.apiType`,
    detail: `is '${apiType}', which holds no conversation. Use invoke, or chat or responses.`,
  })
}
