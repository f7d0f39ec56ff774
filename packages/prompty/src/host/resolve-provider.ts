import { ParleyError } from '@parley/core'
import type { PromptyAgent } from '../format/prompty-agent.ts'
import type { PromptyHost } from './prompty-host.ts'
import type { PromptyProvider } from './prompty-provider.ts'
import { resolveConnection } from './resolve-connection.ts'

export interface ProviderRequest {
  readonly stream: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * The provider a file names, connected as the file says.
 * @throws ParleyError `config-invalid` for a provider or connection the host does not have.
 */
export async function resolveProvider(
  host: PromptyHost,
  { model, path = 'prompt' }: PromptyAgent,
  { stream, signal }: ProviderRequest,
): Promise<PromptyProvider> {
  const { provider = 'openai', apiType = 'chat', connection } = model
  const { providers = {} } = host
  const factory = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (factory === undefined) {
    const known = Object.keys(providers).join(', ') || 'none'
    throw new ParleyError({
      code: 'config-invalid',
      path: `${path} model.provider`,
      detail: `is '${provider}', which this host does not have (known: ${known}). Give it under 'providers' of createPrompty.`,
    })
  }
  const found = await resolveConnection(host, { connection, path: `${path} model.connection`, signal })
  const baseUrl = found.baseUrl === undefined ? {} : { baseUrl: toApiUrl(found.baseUrl) }
  return factory({
    ...found,
    ...baseUrl,
    wire: stream ? 'stream' : 'json',
    ...(apiType === 'responses' ? { api: 'responses' } : {}),
  })
}

/** Azure's files name the resource, not the API below it. */
function toApiUrl(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint
  const { hostname, pathname, origin } = new URL(endpoint)
  return hostname.endsWith('.azure.com') && pathname === '/' ? `${origin}/openai/v1` : endpoint
}

/** @throws ParleyError `config-invalid` when the file names no model. */
export function modelIdOf({ model, path = 'prompt' }: PromptyAgent): string {
  if (model.id !== undefined && model.id !== '') return model.id
  throw new ParleyError({ code: 'config-invalid', path: `${path} model.id`, detail: 'is missing: name a model.' })
}
