import { ParleyError } from '@parley/core'
import type { PromptyConnection } from '../format/prompty-agent.ts'
import { fetchOAuthToken } from './fetch-oauth-token.ts'
import type { PromptyHost } from './prompty-host.ts'
import type { ProviderConnection } from './prompty-provider.ts'

export interface ConnectionRequest {
  /** Undefined leaves everything to the provider's own defaults. */
  readonly connection: PromptyConnection | undefined
  /** Where it is written, for errors. */
  readonly path: string
  readonly signal?: AbortSignal | undefined
}

/**
 * What a connection of a file comes to.
 * @throws ParleyError `config-invalid` for a field that is missing, and for a name the host does not know.
 */
export async function resolveConnection(
  host: PromptyHost,
  { connection, path, signal }: ConnectionRequest,
): Promise<ProviderConnection> {
  if (connection === undefined) return {}
  const { kind, name, endpoint, apiKey } = connection
  const base = { ...textAs('baseUrl', endpoint), ...textAs('apiKey', apiKey) }
  switch (kind) {
    case 'key':
    case 'anonymous':
      return base
    case 'reference':
    case 'remote':
      if (typeof name !== 'string') return refuse(path, `a connection of kind '${kind}' needs a name.`)
      return { ...base, ...(await askHost(host, { key: name, connection, path })) }
    case 'foundry': {
      if (base.baseUrl === undefined) return refuse(path, "a connection of kind 'foundry' needs an endpoint.")
      if (base.apiKey !== undefined) return base
      const key = typeof name === 'string' ? name : 'foundry'
      return { ...base, ...(await askHost(host, { key, connection, path })) }
    }
    case 'oauth':
      if (host.connections?.['oauth'] !== undefined)
        return { ...base, ...(await askHost(host, { key: 'oauth', connection, path })) }
      return { ...base, apiKey: await fetchOAuthToken(connection, { path, fetch: host.fetch, signal }) }
    default:
      return { ...base, ...(await askHost(host, { key: kind, connection, path })) }
  }
}

interface HostQuestion {
  readonly key: string
  readonly connection: PromptyConnection
  readonly path: string
}

async function askHost(
  { connections = {} }: PromptyHost,
  { key, connection, path }: HostQuestion,
): Promise<ProviderConnection> {
  const source = Object.hasOwn(connections, key) ? connections[key] : undefined
  if (source === undefined) {
    const known = Object.keys(connections).join(', ') || 'none'
    return refuse(
      path,
      `needs the connection '${key}', which this host does not have (known: ${known}). Give it under 'connections' of createPrompty.`,
    )
  }
  const found = typeof source === 'function' ? await source(connection) : source
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function textAs(field: string, value: unknown): ProviderConnection {
  return typeof value === 'string' && value !== '' ? { [field]: value } : {}
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
