import { messageText, ParleyError, type UserMessage } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { PromptyAgent } from '../format/prompty-agent.ts'
import { validateInputs, type PromptyInputs } from '../format/validate-inputs.ts'
import { prepareMessages } from '../messages/prepare-messages.ts'
import { assembleAgent, type AgentOptions } from './assemble-agent.ts'
import { createTrim } from './create-trim.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { toPrompt, type Prompt } from './to-prompt.ts'

export interface ToAgentOptions extends AgentOptions {
  /** The agent's name in a runtime. @default the file's, else 'prompty' */
  readonly name?: string | undefined
  /** Values for the inputs that the conversation does not bring. @default {} */
  readonly inputs?: PromptyInputs | undefined
  /**
   * The input that takes the first message of a conversation.
   * @default `question`, `input`, `query`, `message` or `prompt`, whichever the file has, else its only text input
   */
  readonly messageInput?: string | undefined
  /** @default true */
  readonly stream?: boolean | undefined
}

/**
 * A file as an ordinary agent: durable, traced and served like any other. The prompt is rendered with the first message
 * of a conversation; what is said later follows it as it is. Disposing the agent closes the tools it opened.
 * @throws ParleyError `config-invalid` when no input takes the message, or the host lacks what the file asks for.
 */
export async function toAgent(
  host: PromptyHost,
  prompt: PromptyAgent,
  options: ToAgentOptions = {},
): Promise<Agent & AsyncDisposable> {
  const { inputs = {}, messageInput = messageInputOf(prompt), stream = true, signal } = options
  const rendered = new WeakMap<UserMessage, Promise<Prompt>>()
  const render = async (first: UserMessage, provider: string): Promise<Prompt> => {
    const given = messageInput === undefined ? inputs : { ...inputs, [messageInput]: messageText(first) }
    const messages = await prepareMessages(prompt, { inputs: given, files: host.files })
    const made = toPrompt(messages, { provider, apiType: prompt.model.apiType ?? 'chat' })
    // A prompt that takes no message comes before it.
    return messageInput === undefined && messageText(first) !== ''
      ? { ...made, messages: [...made.messages, first] }
      : made
  }
  const { agent, tools } = await assembleAgent(host, prompt, {
    name: options.name ?? prompt.name ?? 'prompty',
    // A required input may be the one the conversation brings.
    inputs: {
      ...validateInputs({ ...prompt, inputs: prompt.inputs.filter(({ name }) => name !== messageInput) }, inputs),
    },
    stream,
    promptOf(first, provider) {
      const known = rendered.get(first) ?? render(first, provider)
      rendered.set(first, known)
      return known
    },
    trim: createTrim(host, { budget: options.contextBudget, onEvent: () => {}, signal }),
    options,
  })
  return { ...agent, [Symbol.asyncDispose]: () => tools[Symbol.asyncDispose]() }
}

const CUSTOMARY = ['question', 'input', 'query', 'message', 'prompt']

/**
 * The input that takes what a person says: `question`, `input`, `query`, `message` or `prompt`, whichever a file has, else
 * its only text input; undefined when it has no text input.
 * @throws ParleyError `config-invalid` when several could be meant.
 */
export function messageInputOf({ inputs, path = 'prompt' }: PromptyAgent): string | undefined {
  const texts = inputs.filter(({ kind }) => kind === 'string').map(({ name }) => name)
  const named = CUSTOMARY.find(name => texts.includes(name))
  if (named !== undefined || texts.length === 1) return named ?? texts[0]
  if (texts.length === 0) return undefined
  throw new ParleyError({
    code: 'config-invalid',
    path: `${path} inputs`,
    detail: `has several texts (${texts.join(', ')}). Say with messageInput which one takes the user's message.`,
  })
}
