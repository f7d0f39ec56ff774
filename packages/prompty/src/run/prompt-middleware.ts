import {
  defineMiddleware,
  toolError,
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type Middleware,
  type ModelCall,
  type ModelEvent,
  type ModelRequest,
  type SystemPart,
  type ToolCall,
  type ToolOutcome,
  type ToolSpec,
  type UserMessage,
} from '@parley/core'
import type { BuiltTools } from '../tools/build-tools.ts'
import { guardrailRefusal, type Guardrails } from './guardrails.ts'
import { withToolErrorTexts } from './tool-error-texts.ts'
import type { Prompt } from './to-prompt.ts'

export interface PromptMiddlewareOptions {
  /** Makes the prompt that replaces the first message of a conversation. */
  readonly promptOf: (first: UserMessage) => Prompt | Promise<Prompt>
  readonly tools: BuiltTools
  readonly guardrails?: Guardrails | undefined
  /** Shortens a prompt to the context budget. @default none */
  readonly trim?: ((prompt: Prompt) => Promise<readonly Message[]>) | undefined
}

/**
 * Adapts a run's requests to its prompt file: the rendered prompt replaces the first message, and the tool rules of the file
 * apply.
 */
export function promptMiddleware({ promptOf, tools, guardrails = {}, trim }: PromptMiddlewareOptions): Middleware {
  const offer = createOffer(tools)
  async function toRequest({ request, signal }: ModelCall): Promise<ModelRequest> {
    const prompt = await withPrompt(request, promptOf)
    const known = new Set(request.tools.map(({ name }) => name))
    const full = { system: prompt.system, messages: withToolErrorTexts(prompt.messages, known) }
    const fitting = trim === undefined ? full : { ...full, messages: await trim(full) }
    const allowed = guardrails.input === undefined ? fitting : await guarded(fitting, guardrails.input)
    signal.throwIfAborted()
    return { ...request, ...allowed, tools: offer(request.tools) }
  }
  return defineMiddleware('prompty', () => ({
    async *model(call, next) {
      const events = next({ ...call, request: await toRequest(call) })
      yield* guardrails.output === undefined ? events : checked(events, guardrails.output)
    },
    tool: (call, next) => runTool(call, next, { tools, check: guardrails.tool }),
  }))
}

/** Replaces the first message of a request with the prompt. */
async function withPrompt(
  { system, messages }: ModelRequest,
  promptOf: PromptMiddlewareOptions['promptOf'],
): Promise<Prompt> {
  const at = messages.findIndex(message => message.role === 'user')
  const first = messages[at]
  if (first?.role !== 'user') return { system, messages }
  const prompt = await promptOf(first)
  return {
    system: [...prompt.system, ...system],
    messages: [...messages.slice(0, at), ...prompt.messages, ...messages.slice(at + 1)],
  }
}

async function guarded(
  { system, messages }: Prompt,
  check: NonNullable<Guardrails['input']>,
): Promise<{ readonly system: readonly SystemPart[]; readonly messages: readonly Message[] }> {
  const instructions = system.map(({ text }) => ({ role: 'system' as const, content: text }))
  const { allowed, reason = 'The request is not allowed.', rewrite } = await check([...instructions, ...messages])
  if (!allowed) throw guardrailRefusal(reason)
  if (rewrite === undefined) return { system, messages }
  const kept = rewrite.findIndex(message => message.role !== 'system')
  const count = kept < 0 ? rewrite.length : kept
  const lead = rewrite.slice(0, count).map(message => ({ text: message.role === 'system' ? message.content : '' }))
  return { system: lead, messages: rewrite.slice(count) }
}

/** Holds an answer back until it is complete and allowed. */
async function* checked(
  events: AsyncIterable<ModelEvent>,
  check: NonNullable<Guardrails['output']>,
): AsyncIterable<ModelEvent> {
  const held: ModelEvent[] = []
  for await (const event of events) {
    if (event.type === 'retry') yield event
    else held.push(event)
  }
  const { allowed, reason = 'The answer is not allowed.', rewrite } = await check(toAnswer(held))
  if (!allowed) throw guardrailRefusal(reason)
  if (rewrite !== undefined) yield { type: 'text.delta', text: rewrite }
  yield* rewrite === undefined ? held : held.filter(({ type }) => type !== 'text.delta' && type !== 'text.end')
}

function toAnswer(events: readonly ModelEvent[]): AssistantMessage {
  let text = ''
  const calls: AssistantPart[] = []
  for (const event of events) {
    if (event.type === 'text.delta') text += event.text
    else if (event.type === 'tool-call')
      calls.push({ type: 'tool-call', callId: event.callId, name: event.name, arguments: event.arguments })
  }
  return { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls] }
}

interface ToolRules {
  readonly tools: BuiltTools
  readonly check: Guardrails['tool']
}

async function runTool(
  call: ToolCall,
  next: (call: ToolCall) => Promise<ToolOutcome>,
  { tools, check }: ToolRules,
): Promise<ToolOutcome> {
  const { name } = call.tool
  const bound = tools.bound.get(name) ?? []
  let { input } = call
  if (bound.length > 0 && isRecord(input))
    input = Object.fromEntries(Object.entries(input).filter(([parameter]) => !bound.includes(parameter)))
  if (check !== undefined && isRecord(input)) {
    const { allowed, reason = 'not allowed', rewrite } = await check(name, input)
    if (!allowed)
      return toolError(`Tool denied by guardrail: ${reason}`, { error: { code: 'tool-denied', tool: name, reason } })
    input = rewrite ?? input
  }
  return next({ ...call, input })
}

/**
 * Creates a function that selects the tools to offer and marks the strict ones. For one tool it returns the same object
 * each time, because providers cache encoded tools by identity.
 */
function createOffer({ strict, hidden }: BuiltTools): (specs: readonly ToolSpec[]) => readonly ToolSpec[] {
  if (strict.size === 0 && hidden.size === 0) return specs => specs
  const marked = new WeakMap<ToolSpec, ToolSpec>()
  const mark = (spec: ToolSpec): ToolSpec => {
    if (!strict.has(spec.name)) return spec
    const known = marked.get(spec) ?? { ...spec, strict: true }
    marked.set(spec, known)
    return known
  }
  return specs => specs.filter(({ name }) => !hidden.has(name)).map(mark)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
