import type { Json } from '@parley/core'

/** A model from a provider's model list, in the same form for all providers. */
export interface PromptyModelInfo {
  readonly id: string
  readonly displayName?: string | undefined
  readonly ownedBy?: string | undefined
  /** Size of the context window in tokens. Missing if the provider does not send it. */
  readonly contextWindow?: number | undefined
  readonly inputModalities?: readonly string[] | undefined
  readonly outputModalities?: readonly string[] | undefined
  /** The entry of the provider's list, unchanged. */
  readonly additionalProperties?: Readonly<Record<string, Json>> | undefined
}

type Fields = Readonly<Record<string, Json>>

/** Reads one entry of a model list: of OpenAI, of Anthropic, or a Foundry deployment in either of its forms. */
export function toModelInfo(provider: string, raw: Fields): PromptyModelInfo {
  const properties = fieldsOf(raw['properties'])
  const model = fieldsOf(properties['model'] ?? raw['model'])
  const capabilities = { ...fieldsOf(raw['capabilities']), ...fieldsOf(properties['capabilities']) }
  const sources = [raw, properties, model, capabilities]
  const isDeployment = provider === 'foundry' || provider === 'azure'
  const id = textIn([raw], isDeployment ? ['name', 'id'] : ['id', 'name']) ?? ''
  const displayName =
    textIn(sources, ['display_name', 'displayName', 'modelName', 'model_name']) ?? textIn([model], ['name'])
  const ownedBy =
    textIn(sources, ['owned_by', 'ownedBy', 'publisher', 'modelPublisher', 'model_publisher']) ??
    (provider === 'anthropic' ? 'anthropic' : undefined)
  const contextWindow = numberIn(sources, [
    'context_length',
    'contextLength',
    'maxContextLength',
    'max_context_length',
    'contextWindow',
    'context_window',
    'max_input_tokens',
  ])
  return withoutAbsent({
    id,
    displayName,
    ownedBy,
    contextWindow,
    inputModalities: listIn(sources, ['input_modalities', 'inputModalities', 'supportedInputModalities']),
    outputModalities: listIn(sources, ['output_modalities', 'outputModalities', 'supportedOutputModalities']),
    additionalProperties: raw,
  })
}

function withoutAbsent(info: PromptyModelInfo): PromptyModelInfo {
  return Object.fromEntries(
    Object.entries(info).filter(([, value]) => value !== undefined),
  ) as unknown as PromptyModelInfo
}

function firstIn(sources: readonly Fields[], names: readonly string[]): readonly Json[] {
  return sources.flatMap(source => names.flatMap(name => (Object.hasOwn(source, name) ? [source[name] as Json] : [])))
}

function textIn(sources: readonly Fields[], names: readonly string[]): string | undefined {
  return firstIn(sources, names).find((value): value is string => typeof value === 'string' && value !== '')
}

/** Reads a number. Some providers send numbers as strings. */
function numberIn(sources: readonly Fields[], names: readonly string[]): number | undefined {
  const found = firstIn(sources, names).map(value =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  )
  return found.find((value): value is number => typeof value === 'number')
}

/** Reads a list. Some providers send lists as strings with commas. */
function listIn(sources: readonly Fields[], names: readonly string[]): readonly string[] | undefined {
  for (const value of firstIn(sources, names)) {
    if (Array.isArray(value)) return value.filter(item => typeof item === 'string')
    if (typeof value === 'string') return value.split(',').map(item => item.trim())
  }
  return undefined
}

function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
