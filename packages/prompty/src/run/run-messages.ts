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
import { modelIdOf, resolveProvider } from '../host/resolve-provider.ts'
import { schemaOfProperties } from '../tools/schema-of-properties.ts'
import { refusal, toAnswer } from './to-answer.ts'
import { textOf, toPrompt } from './to-prompt.ts'
import { addedFields, toSettings } from './to-settings.ts'

export interface RunMessagesOptions {
  /** Asked instead of the model the file names. @default the file's */
  readonly model?: Model | undefined
  /** What else the model is told; wins over the file's options. @default {} */
  readonly settings?: ModelSettings | undefined
  /** Whether the answer is streamed. @default what the file says, else false */
  readonly stream?: boolean | undefined
  /** Called with each piece of text as it comes. */
  readonly onText?: ((text: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface InvokeOptions extends RunMessagesOptions {
  readonly inputs?: PromptyInputs | undefined
}

/** A call of a tool the model asks for; nothing has run it. */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it. */
  readonly arguments: string
}

/** Renders a file and asks its model once. */
export async function invokePrompt(
  host: PromptyHost,
  agent: PromptyAgent,
  options: InvokeOptions = {},
): Promise<unknown> {
  const messages = await prepareMessages(agent, { inputs: options.inputs, files: host.files })
  return runMessages(host, agent, { ...options, messages })
}

/**
 * Asks a file's model once, by the API the file names.
 * @returns The answer's text, or the data it is when the file has outputs; the calls the model asks for instead; for
 * embeddings a vector, or one for each message; for images an address or base64 bytes, or a list of them.
 * @throws ParleyError of a `model-…` code, or `config-invalid`.
 */
export async function runMessages(
  host: PromptyHost,
  agent: PromptyAgent,
  { messages, ...options }: RunMessagesOptions & { readonly messages: readonly PromptyMessage[] },
): Promise<unknown> {
  const { apiType = 'chat' } = agent.model
  const stream = options.stream ?? agent.model.options.additionalProperties?.['stream'] === true
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
  if (provider.embed === undefined) throw unable(provider, 'makes no embeddings')
  const options = addedFields(agent.model.options)
  return oneOrAll(await provider.embed({ model: modelIdOf(agent), input: texts, options, signal }))
}

async function generateImages(
  provider: PromptyProvider,
  agent: PromptyAgent,
  { texts, signal }: TextRequest,
): Promise<unknown> {
  if (provider.generateImages === undefined) throw unable(provider, 'makes no images')
  const options = addedFields(agent.model.options)
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
    ...toPrompt(messages, { provider: model.provider, apiType: agent.model.apiType ?? 'chat' }),
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

/** The functions a file declares, as a model sees them. */
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
