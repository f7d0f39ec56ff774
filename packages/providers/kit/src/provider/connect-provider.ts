import { refuseOption, type ModelInfo, type OptionKinds, type RetryPolicy } from '@parley/core'
import { TIMEOUTS, type Timeouts } from '../deadlines/timeouts.ts'
import { checkBaseUrl } from '../http/check-base-url.ts'
import { createHttp, type Http } from '../http/create-http.ts'
import type { HttpFetch } from '../transport/http-fetch.ts'
import { createPlatformFetch } from '../transport/create-platform-fetch.ts'
import { randomCallId } from './random-call-id.ts'
import { readEnvironment } from './read-environment.ts'

/** The options that the factory of a provider takes. All first-party providers extend them. */
export interface ProviderOptions<TInfo extends ModelInfo = ModelInfo> {
  /** Address of the API. @default set by the provider */
  readonly baseUrl?: string | undefined
  /** Key that is sent with each request. @default set by the provider */
  readonly apiKey?: string | undefined
  /** Sets `Model.provider` and the key of `settings.providerOptions`. @default set by the provider */
  readonly name?: string | undefined
  /** Additional headers of each request. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Form of the answers. `stream` streams them. `json` requests each answer as one document, for servers and gateways
   * that cannot stream. @default 'stream'
   */
  readonly wire?: 'stream' | 'json' | undefined
  /** Deadlines of each call. @default {} */
  readonly timeouts?: Timeouts | undefined
  /** How failed calls are retried. @default {} */
  readonly retry?: RetryPolicy | undefined
  /** Facts about models, by id. An entry replaces the built-in facts about that model. @default {} */
  readonly models?: Readonly<Record<string, TInfo>> | undefined
  /** Sends the requests. @default createPlatformFetch() of `@parley/provider-kit` */
  readonly fetch?: HttpFetch | undefined
  /** Creates the id of a tool call that arrives without a usable one. @default randomCallId() of `@parley/provider-kit` */
  readonly createCallId?: (() => string) | undefined
}

/** The types of the options that every provider has. A provider adds its own options to this table. */
export const PROVIDER_OPTIONS: OptionKinds<ProviderOptions> = {
  baseUrl: 'string',
  apiKey: 'string',
  name: 'string',
  headers: 'object',
  wire: ['stream', 'json'],
  timeouts: TIMEOUTS,
  retry: 'object',
  models: 'object',
  fetch: 'function',
  createCallId: 'function',
}

/** Facts about one service. The author of a provider writes them. */
export interface ProviderService<TInfo extends ModelInfo = ModelInfo> {
  /** Name of the factory function, which errors about its options name. @default no name */
  readonly factory?: string | undefined
  /** Name of the provider if the options do not contain one. */
  readonly name: string
  /** Address of the API, with the options and the environment already considered. */
  readonly baseUrl: string
  /** Header that contains the key. In `authorization` the key follows the word `Bearer`. @default 'authorization' */
  readonly keyHeader?: string | undefined
  /**
   * Environment variables to read the key from; the first variable that is set counts. Leave the list empty if
   * `baseUrl` does not belong to the service: a key from the environment must not reach another server. @default []
   */
  readonly keyVariables?: readonly string[] | undefined
  /** Whether the service rejects every request without a key. @default false */
  readonly requiresKey?: boolean | undefined
  /** Headers of the service. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Deadlines that differ from those of `createHttp`. @default {} */
  readonly timeouts?: Timeouts | undefined
  /** Built-in facts about a model. @default no facts */
  readonly infoOf?: ((id: string) => TInfo) | undefined
  /** Wraps the `fetch` of the options, for example to sign requests. */
  readonly wrapFetch?: ((fetch: HttpFetch) => HttpFetch) | undefined
  /** Statuses that mean, without a body, that the conversation is too long. @default [] */
  readonly overflowStatuses?: readonly number[] | undefined
}

/** The options of a provider with every default filled in, and its `http`. */
export interface ProviderConnection<TInfo extends ModelInfo = ModelInfo> {
  readonly name: string
  readonly http: Http
  readonly wire: 'stream' | 'json'
  readonly createCallId: () => string
  /** Facts about a model: from the options, else the built-in ones. */
  readonly infoOf: (id: string) => TInfo
}

/**
 * Turns the options of a provider factory and the facts of its service into a connection.
 * @throws `config-invalid` if the base URL, a header or the retry policy is invalid, or if a required key is missing.
 */
export function connectProvider<TInfo extends ModelInfo = ModelInfo>(
  options: ProviderOptions<TInfo>,
  service: ProviderService<TInfo>,
): ProviderConnection<TInfo> {
  const { name = service.name, wire = 'stream', models = {}, createCallId = randomCallId, retry } = options
  const { baseUrl, wrapFetch, overflowStatuses, infoOf = () => ({}) as TInfo } = service
  checkBaseUrl(baseUrl, optionOf(service, 'baseUrl'))
  return {
    name,
    wire,
    createCallId,
    infoOf: id => models[id] ?? infoOf(id),
    http: createHttp({
      provider: name,
      baseUrl,
      headers: { ...keyHeaderOf(options, service), ...service.headers, ...options.headers },
      overflowStatuses,
      fetch: wrapFetch === undefined ? options.fetch : wrapFetch(options.fetch ?? createPlatformFetch()),
      timeouts: { ...service.timeouts, ...options.timeouts },
      retry,
    }),
  }
}

/** Returns the header that carries a key; `{}` if the key is missing or blank. @param header @default 'authorization' */
export function toKeyHeader(apiKey: string | undefined, header = 'authorization'): Record<string, string> {
  // A key pasted from a file may end in a line break.
  const key = apiKey?.trim() ?? ''
  if (key === '') return {}
  return { [header]: header === 'authorization' ? `Bearer ${key}` : key }
}

function keyHeaderOf(
  { apiKey, headers = {} }: Pick<ProviderOptions, 'apiKey' | 'headers'>,
  service: ProviderService,
): Record<string, string> {
  const { keyHeader = 'authorization', keyVariables = [], requiresKey = false } = service
  const key = apiKey ?? keyVariables.map(readEnvironment).find(value => value !== undefined)
  const header = toKeyHeader(key, keyHeader)
  const isAuthorized = Object.keys({ ...header, ...headers }).some(each =>
    ['authorization', keyHeader].includes(each.toLowerCase()),
  )
  if (isAuthorized || !requiresKey) return header
  // The variable comes first: a user of the CLI cannot pass an option.
  const ways = keyVariables.length === 0 ? 'pass it' : `set ${keyVariables.join(' or ')}, or pass it`
  return refuseOption(optionOf(service, 'apiKey'), `is missing; ${ways}`)
}

function optionOf({ factory }: ProviderService, name: string): string {
  return factory === undefined ? name : `${factory}.${name}`
}
