import { ParleyError } from '@parley/core'
import type { PromptyConnection } from '../format/prompty-agent.ts'
import { fetchOAuthToken } from './fetch-oauth-token.ts'
import type { PromptyHost } from './prompty-host.ts'
import type { ProviderConnection } from './prompty-provider.ts'

export interface ConnectionRequest {
  /** The connection of the file. `undefined` selects the provider's defaults. */
  readonly connection: PromptyConnection | undefined
  /** Where the file has the connection, for errors. */
  readonly path: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Resolves a connection of a file to the options of a provider.
 * @throws ParleyError `config-invalid` if a field is missing, or the host does not have the connection.
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
      if (typeof name !== 'string') return refuse(path, `a connection of kind '${kind}' requires a name.`)
      return { ...base, ...(await askHost(host, { key: name, connection, path })) }
    case 'foundry': {
      if (base.baseUrl === undefined) return refuse(path, "a connection of kind 'foundry' requires an endpoint.")
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
      `requires the connection '${key}', which this host does not have (known: ${known}). Add it to 'connections' of createPrompty.`,
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
