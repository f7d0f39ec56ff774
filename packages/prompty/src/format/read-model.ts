import type { Json } from '@parley/core'
import { isFields, type FileScope } from './file-scope.ts'
import { spellingOf } from './option-spelling.ts'
import type { PromptyApiType, PromptyConnection, PromptyModel, PromptyOptions } from './prompty-agent.ts'

const API_TYPES: readonly PromptyApiType[] = ['chat', 'responses', 'embedding', 'image']
const NUMBERS = ['temperature', 'maxOutputTokens', 'topP', 'topK', 'frequencyPenalty', 'presencePenalty', 'seed']

/** Reads the field `model`. Returns `undefined` for a file without a model. @throws ParleyError `config-invalid`. */
export function readModel(value: Json | undefined, scope: FileScope): PromptyModel | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return { id: value, options: {} }
  if (!isFields(value)) return scope.fail(['model'], 'must be a model id or a map.')
  const { id, provider, apiType, connection, options, ...rest } = value
  for (const [field, given] of Object.entries({ id, provider, apiType })) {
    if (given !== undefined && given !== null && typeof given !== 'string')
      scope.fail(['model', field], 'must be a string.')
  }
  const api = API_TYPES.find(name => name === apiType)
  if (apiType !== undefined && apiType !== null && api === undefined)
    scope.fail(['model', 'apiType'], `is ${JSON.stringify(apiType)}; must be one of ${API_TYPES.join(', ')}.`)
  for (const field of Object.keys(rest)) scope.warn(['model', field], 'is an unknown field of a model and is ignored.')
  warnOfUnknownOptions(options, typeof provider === 'string' ? provider : 'openai', scope)
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof provider === 'string' ? { provider } : {}),
    ...(api === undefined ? {} : { apiType: api }),
    ...(connection === undefined || connection === null
      ? {}
      : { connection: readConnection(connection, ['model', 'connection'], scope) }),
    options: readOptions(options, scope),
  }
}

/** Reads a connection of a model or a tool. @throws ParleyError `config-invalid`. */
export function readConnection(value: Json, key: readonly (string | number)[], scope: FileScope): PromptyConnection {
  if (!isFields(value)) return scope.fail(key, 'must be a map with a kind.')
  const { kind } = value
  if (typeof kind !== 'string' || kind === '')
    return scope.fail(
      [...key, 'kind'],
      'must name the kind of connection: key, reference, remote, anonymous, foundry or oauth.',
    )
  return { ...value, kind }
}

function readOptions(value: Json | undefined, scope: FileScope): PromptyOptions {
  if (value === undefined || value === null) return {}
  if (!isFields(value)) return scope.fail(['model', 'options'], 'must be a map.')
  for (const [field, given] of Object.entries(value)) {
    if (given === null) continue
    const fail = (what: string): never =>
      scope.fail(['model', 'options', field], `is ${JSON.stringify(given)}; must be ${what}.`)
    if (NUMBERS.includes(field) && typeof given !== 'number') fail('a number')
    if (field === 'stopSequences' && !(Array.isArray(given) && given.every(text => typeof text === 'string')))
      fail('a list of strings')
    if (field === 'allowMultipleToolCalls' && typeof given !== 'boolean') fail('true or false')
    if (field === 'additionalProperties' && !isFields(given)) fail('a map')
  }
  const present = Object.entries(value).filter(([, given]) => given !== null)
  const unknown = present.filter(([field]) => !KNOWN_OPTIONS.has(field))
  for (const [field] of unknown)
    scope.warn(
      ['model', 'options', field],
      "is an unknown option. Put options of a single provider into 'additionalProperties'.",
    )
  return Object.fromEntries(present) as PromptyOptions
}

function warnOfUnknownOptions(options: Json | undefined, provider: string, scope: FileScope): void {
  if (!isFields(options)) return
  const { names } = spellingOf(provider)
  for (const option of ['topK', 'frequencyPenalty', 'presencePenalty'] as const)
    if (option in options && names[option] === undefined)
      scope.warn(['model', 'options', option], `${provider} does not have this option, so it is not sent.`)
}

const KNOWN_OPTIONS = new Set([...NUMBERS, 'stopSequences', 'allowMultipleToolCalls', 'additionalProperties'])
