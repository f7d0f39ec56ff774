import { ParleyError } from '@parley/core'
import type { PromptyAgent, PromptyApiType } from '../format/prompty-agent.ts'
import type { PromptyHost } from './prompty-host.ts'
import type { PromptyProvider } from './prompty-provider.ts'
import { resolveConnection } from './resolve-connection.ts'

export interface ProviderRequest {
  readonly stream: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes the provider of a file with the connection of the file.
 * @throws ParleyError `config-invalid` if the host does not have the provider or the connection.
 */
export async function resolveProvider(
  host: PromptyHost,
  { model, path = 'prompt' }: PromptyAgent,
  { stream, signal }: ProviderRequest,
): Promise<PromptyProvider> {
  const { provider = 'openai', connection } = model ?? {}
  const { providers = {} } = host
  const factory = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (factory === undefined) {
    const known = Object.keys(providers).join(', ') || 'none'
    throw new ParleyError({
      code: 'config-invalid',
      path: `${path} model.provider`,
      detail: `is '${provider}', which this host does not have (known: ${known}). Add it to 'providers' of createPrompty.`,
    })
  }
  const found = await resolveConnection(host, { connection, path: `${path} model.connection`, signal })
  const baseUrl = found.baseUrl === undefined ? {} : { baseUrl: toApiUrl(found.baseUrl) }
  return factory({
    ...found,
    ...baseUrl,
    wire: stream ? 'stream' : 'json',
    ...(apiTypeOf({ model }) === 'responses' ? { api: 'responses' } : {}),
  })
}

/** Returns the address of the API. Files for Azure contain the address of the resource, without the path of its API. */
function toApiUrl(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint
  const { hostname, pathname, origin } = new URL(endpoint)
  return hostname.endsWith('.azure.com') && pathname === '/' ? `${origin}/openai/v1` : endpoint
}

/** Returns the API that a file calls. */
export function apiTypeOf({ model }: Pick<PromptyAgent, 'model'>): PromptyApiType {
  return model?.apiType ?? 'chat'
}

/** Whether a file asks for streamed answers. */
export function wantsStream({ model }: PromptyAgent): boolean {
  return model?.options.additionalProperties?.['stream'] === true
}

/** Returns the model id of a file. @throws ParleyError `config-invalid` if it is missing. */
export function modelIdOf({ model, path = 'prompt' }: PromptyAgent): string {
  if (model?.id !== undefined && model.id !== '') return model.id
  throw new ParleyError({ code: 'config-invalid', path: `${path} model.id`, detail: 'is missing; must be a model id.' })
}
