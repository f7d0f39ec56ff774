import {
  ParleyError,
  toJsonSchema,
  type Model,
  type ModelRequest,
  type ModelSettings,
  type ToolSpec,
} from '@parley/core'
import type { PromptyAgent } from '../format/prompty-agent.ts'
import type { PromptyInputs } from '../format/validate-inputs.ts'
import { prepareMessages } from '../messages/prepare-messages.ts'
import type { PromptyMessage } from '../format/prompty-message.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import type { PromptyProvider } from '../host/prompty-provider.ts'
import { apiTypeOf, modelIdOf, resolveProvider, wantsStream } from '../host/resolve-provider.ts'
import { schemaOfProperties } from '../tools/schema-of-properties.ts'
import { refusal, toAnswer } from './to-answer.ts'
import { textOf, toPrompt } from './to-prompt.ts'
import { addedFields, toSettings } from './to-settings.ts'

/** Options of `run`. */
export interface RunMessagesOptions {
  /** Model to call instead of the model of the file. @default the file's */
  readonly model?: Model | undefined
  /** Additional settings. They override the options of the file. @default {} */
  readonly settings?: ModelSettings | undefined
  /** Whether the answer is streamed. @default `stream` of the file, else false */
  readonly stream?: boolean | undefined
  /** Called with each text delta. @default none */
  readonly onText?: ((text: string) => void) | undefined
  /** Aborting it stops the model call. @default none */
  readonly signal?: AbortSignal | undefined
}

/** Options of `invoke`. */
export interface InvokeOptions extends RunMessagesOptions {
  /** Values for the template. @default {} */
  readonly inputs?: PromptyInputs | undefined
}

/** A tool call that the model requests. It was not run. */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  /** The arguments as the JSON text that the model wrote. */
  readonly arguments: string
}

/** Renders a file and calls its model once. */
export async function invokePrompt(
  host: PromptyHost,
  agent: PromptyAgent,
  options: InvokeOptions = {},
): Promise<unknown> {
  const messages = await prepareMessages(agent, { inputs: options.inputs, files: host.files })
  return runMessages(host, agent, { ...options, messages })
}

/**
 * Calls the model of a file once, through the API of the file.
 * @returns The text of the answer, or its data if the file has outputs; or the requested tool calls. For embeddings one vector, or
 * one for each message. For images a URL or base64 bytes, or a list of them.
 * @throws ParleyError with a `model-…` code, or `config-invalid`.
 */
export async function runMessages(
  host: PromptyHost,
  agent: PromptyAgent,
  { messages, ...options }: RunMessagesOptions & { readonly messages: readonly PromptyMessage[] },
): Promise<unknown> {
  const apiType = apiTypeOf(agent)
  const stream = options.stream ?? wantsStream(agent)
  if (apiType === 'chat' || apiType === 'responses') {
    const model =
      options.model ?? (await resolveProvider(host, agent, { stream, signal: options.signal })).model(modelIdOf(agent))
    return askModel(model, agent, { ...options, messages, stream })
  }
  const provider = await resolveProvider(host, agent, { stream: false, signal: options.signal })
  const texts = messages.map(({ content }) => textOf(content))
  return apiType === 'embedding'
    ? embed(provider, agent, { texts, signal: options.signal })
    : generateImages(provider, agent, { texts, signal: options.signal })
}

interface TextRequest {
  readonly texts: readonly string[]
  readonly signal: AbortSignal | undefined
}

async function embed(provider: PromptyProvider, agent: PromptyAgent, { texts, signal }: TextRequest): Promise<unknown> {
  if (provider.embed === undefined) throw unable(provider, 'does not make embeddings')
  const options = addedFields(agent.model?.options)
  return oneOrAll(await provider.embed({ model: modelIdOf(agent), input: texts, options, signal }))
}

async function generateImages(
  provider: PromptyProvider,
  agent: PromptyAgent,
  { texts, signal }: TextRequest,
): Promise<unknown> {
  if (provider.generateImages === undefined) throw unable(provider, 'does not make images')
  const options = addedFields(agent.model?.options)
  return oneOrAll(await provider.generateImages({ model: modelIdOf(agent), prompt: texts.join('\n'), options, signal }))
}

function oneOrAll<TItem>(items: readonly TItem[]): TItem | readonly TItem[] {
  const [only] = items
  return items.length === 1 && only !== undefined ? only : items
}

function unable({ name }: PromptyProvider, what: string): ParleyError {
  return new ParleyError({ code: 'model-unsupported', provider: name, detail: `This provider ${what}.` })
}

interface AskRequest extends RunMessagesOptions {
  readonly messages: readonly PromptyMessage[]
  readonly stream: boolean
}

async function askModel(
  model: Model,
  agent: PromptyAgent,
  { messages, stream, settings, onText, signal }: AskRequest,
): Promise<unknown> {
  const request: ModelRequest = {
    ...toPrompt(messages, { provider: model.provider, apiType: apiTypeOf(agent) }),
    tools: offeredTools(agent),
    settings: { ...toSettings(agent, model.provider), ...settings },
  }
  const calls: RequestedCall[] = []
  let text = ''
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text.delta') {
      text += event.text
      onText?.(event.text)
    } else if (event.type === 'tool-call')
      calls.push({ id: event.callId, name: event.name, arguments: event.arguments })
    else if (event.type === 'finish' && event.reason === 'refusal' && stream)
      throw refusal(model.provider, model.id, text)
  }
  return calls.length > 0 ? calls : toAnswer(agent, text)
}

/** Returns the functions of a file as the model sees them. */
function offeredTools({ tools }: PromptyAgent): readonly ToolSpec[] {
  return tools
    .filter(({ kind }) => kind === 'function')
    .map(({ name, description = '', parameters = [], strict = false, bindings }) => {
      const visible = parameters.filter(parameter => !Object.hasOwn(bindings, parameter.name))
      const inputSchema = toJsonSchema(schemaOfProperties(visible, { strict }))
      return {
        name,
        description,
        inputSchema: typeof inputSchema === 'string' ? {} : inputSchema,
        ...(strict ? { strict } : {}),
      }
    })
}
