import { messageText, ParleyError, type UserMessage } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { PromptyAgent } from '../format/prompty-agent.ts'
import { validateInputs, type PromptyInputs } from '../format/validate-inputs.ts'
import { prepareMessages } from '../messages/prepare-messages.ts'
import { assembleAgent, type AgentOptions } from './assemble-agent.ts'
import { createTrim } from './create-trim.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { apiTypeOf } from '../host/resolve-provider.ts'
import { toPrompt, type Prompt } from './to-prompt.ts'

/** Options of `toAgent`. */
export interface ToAgentOptions extends AgentOptions {
  /** Name of the agent. @default the name in the file, else 'prompty' */
  readonly name?: string | undefined
  /** Values of the inputs that do not come from the conversation. @default {} */
  readonly inputs?: PromptyInputs | undefined
  /**
   * Name of the input that receives the first message of a conversation.
   * @default the result of `messageInputOf`
   */
  readonly messageInput?: string | undefined
  /** Whether answers are streamed. @default true */
  readonly stream?: boolean | undefined
}

/**
 * Makes an agent from a file. The first message of a conversation fills an input of the prompt; later messages follow unchanged.
 * Disposing the agent closes the tool sources that it opened.
 * @throws ParleyError `config-invalid` if several inputs could receive the message, or the host lacks something that the file
 * requires.
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
    const made = toPrompt(messages, { provider, apiType: apiTypeOf(prompt) })
    // A prompt without an input for the message comes before the message.
    return messageInput === undefined && messageText(first) !== ''
      ? { ...made, messages: [...made.messages, first] }
      : made
  }
  const { agent, tools } = await assembleAgent(host, prompt, {
    name: options.name ?? prompt.name ?? 'prompty',
    // The input of the message gets its value later, so it may be missing here.
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

const USUAL_NAMES = ['question', 'input', 'query', 'message', 'prompt']

/**
 * Returns the name of the input that receives the user's message: `question`, `input`, `query`, `message` or `prompt`, or the only
 * string input. `undefined` if the file has no string input.
 * @throws ParleyError `config-invalid` if several inputs are possible.
 */
export function messageInputOf({ inputs, path = 'prompt' }: PromptyAgent): string | undefined {
  const texts = inputs.filter(({ kind }) => kind === 'string').map(({ name }) => name)
  const named = USUAL_NAMES.find(name => texts.includes(name))
  if (named !== undefined || texts.length === 1) return named ?? texts[0]
  if (texts.length === 0) return undefined
  throw new ParleyError({
    code: 'config-invalid',
    path: `${path} inputs`,
    detail: `has several strings (${texts.join(', ')}). Set messageInput to the one that receives the user's message.`,
  })
}
