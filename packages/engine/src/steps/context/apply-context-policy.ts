import {
  checkOptions,
  addCost,
  addUsage,
  refuseOption,
  systemClock,
  ZERO_USAGE,
  type CompactionRequest,
  type ContextPolicy,
  type Cost,
  type ErrorInfo,
  type Message,
  type Model,
  type SystemPart,
  type TokenCounter,
  type ToolSpec,
  type Usage,
  type OptionKinds,
} from '@parley/core'
import { toContext, type AgentContext } from '../../agent/context/agent-context.ts'
import { initialState } from '../../journal/run-state.ts'
import { costOfAnswer } from '../../run-context/model-stream/cost-of-answer.ts'
import { AnswerBuilder } from '../../run-context/model-stream/answer-builder.ts'
import { checkView } from '../../run-context/view/check-view.ts'
import { RunView } from '../../run-context/view/run-view.ts'
import { replacement } from './compact.ts'

/** Options of `applyContextPolicy`. */
export interface ApplyContextOptions {
  /** The model that the messages are for. Policies that summarize ask it. @default none */
  readonly model?: Model | undefined
  /** The model's window, in tokens. @default that of `model` */
  readonly contextWindow?: number | undefined
  /** Instructions of the request, which count. @default none */
  readonly system?: readonly SystemPart[] | undefined
  /** Tools of the request, which count. @default none */
  readonly tools?: readonly ToolSpec[] | undefined
  /** Counts tokens. @default the engine's estimate */
  readonly tokenCounter?: TokenCounter | undefined
  /** Stops the policy's model calls. @default none */
  readonly signal?: AbortSignal | undefined
}

/** The messages that a policy leaves. */
export interface AppliedContext {
  /** Messages to send: the given ones, or those that the policy chose. */
  readonly messages: readonly Message[]
  /** Whether the policy changed the messages. */
  readonly compacted: boolean
  /** Estimated tokens of the request, including instructions and tools. */
  readonly tokens: { readonly before: number; readonly after: number }
  /** Why the policy failed. The oldest messages were dropped instead. */
  readonly error?: ErrorInfo | undefined
  /** What the policy's own model calls used. */
  readonly usage: Usage
  /** Cost of that usage. `undefined` if no price is known. */
  readonly cost: Cost | undefined
}

const OPTIONS: OptionKinds<ApplyContextOptions> = {
  model: 'model',
  contextWindow: 'number',
  system: 'list',
  tools: 'list',
  tokenCounter: 'object',
  signal: 'signal',
}

/**
 * Applies a context policy to messages, as the engine does before each model call. The result of a tool call stays with
 * its call.
 * @throws ParleyError `context-unsatisfiable` if the policy cannot keep its bound or the model's window. `config-invalid` if
 * the policy asks a model and none is given.
 */
export async function applyContextPolicy(
  policy: ContextPolicy,
  messages: readonly Message[],
  options: ApplyContextOptions = {},
): Promise<AppliedContext> {
  checkOptions('applyContextPolicy', options, OPTIONS)
  const { model = NO_MODEL, contextWindow, tokenCounter, signal = new AbortController().signal } = options
  const agent = { model, contextWindow, tokenCounter, settings: undefined }
  const context = toContext(agent, policy)
  await context.load()
  const view = viewOver(messages, context, options)
  const before = view.tokens()
  let usage = ZERO_USAGE
  let cost: Cost | undefined
  const ask: CompactionRequest['ask'] = async (request, asked = model) => {
    const answer = new AnswerBuilder()
    try {
      for await (const event of asked.stream(request, { signal })) answer.add(event)
    } finally {
      usage = addUsage(usage, answer.usage)
      cost = addCost(cost, costOfAnswer(answer, asked.info, systemClock.now()))
    }
    return answer.message(`${asked.provider}/${asked.id}`, () => new Set())
  }
  const { groups, error } = policy.due(view) ? await replacement(policy, requestOver(view, { model, signal, ask })) : {}
  signal.throwIfAborted()
  const left = groups?.flatMap(group => group.messages)
  const after = left === undefined ? view : viewOver(left, context, options)
  checkView(after)
  return {
    messages: left ?? messages,
    compacted: left !== undefined,
    tokens: { before, after: after.tokens() },
    ...(error === undefined ? {} : { error }),
    usage,
    cost,
  }
}

/** Stands in for the model if none is given. Its window is unknown. */
const NO_MODEL: Model = {
  provider: 'none',
  id: 'none',
  info: {},
  stream: () => refuseOption('model', 'is missing: the context policy asks a model'),
}

/** The conversation as a policy sees it before the next model call. */
function viewOver(
  messages: readonly Message[],
  context: AgentContext,
  { model = NO_MODEL, contextWindow, system = [], tools: specs = [] }: ApplyContextOptions,
): RunView {
  const state = initialState(messages)
  return new RunView(
    { state, agent: { definition: { model, contextWindow } }, tools: { specs }, prompt: { system } },
    context,
  )
}

function requestOver(view: RunView, means: Pick<CompactionRequest, 'model' | 'signal' | 'ask'>): CompactionRequest {
  return {
    ...means,
    trigger: 'due',
    length: view.length,
    groups: view.groups,
    log: view.log,
    fixedTokens: view.fixedTokens,
    window: view.window,
    budget: view.budget,
    tokens: () => view.tokens(),
    exceeds: limit => view.exceeds(limit),
    count: messages => view.count(messages),
  }
}
