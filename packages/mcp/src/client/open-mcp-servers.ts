import { ParleyError, toErrorInfo, type ErrorInfo } from '@parley/core'
import { assignServerIds } from './assign-server-ids.ts'
import { callListener } from '../call-listener.ts'
import { checkServerDefinition } from '../config/check-server-definition.ts'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpStopReport } from '../transport/server-link.ts'
import { openMcpServer, type OpenMcpServerOptions } from './open-mcp-server.ts'

export interface OpenMcpServersOptions extends Omit<OpenMcpServerOptions, 'onNotification'> {
  /**
   * What one server that does not start means: `fail-fast` closes the others and throws, `log-and-continue` tells `onSkip`
   * and `onEvent`, and goes on without it.
   * @default 'fail-fast'
   */
  readonly startupPolicy?: 'fail-fast' | 'log-and-continue' | undefined
  /** Called for each server that is skipped. @default nothing is called */
  readonly onSkip?: ((name: string, error: ErrorInfo) => void) | undefined
}

/** Several servers that end together. As one of a runtime's `resources` they are closed with it. */
export interface McpServers extends AsyncDisposable {
  /** In the order of their definitions, without the skipped ones. */
  readonly servers: readonly McpServer[]
  /**
   * The server of that name.
   * @throws ParleyError `config-invalid` naming those there are.
   */
  get(name: string): McpServer
  /** Ends them all at once. Idempotent. */
  close(): Promise<McpServersReport>
}

/** How several servers came to their end. */
export interface McpServersReport {
  /** How many needed SIGKILL. */
  readonly killed: number
  readonly servers: readonly (McpStopReport & { readonly name: string })[]
}

/**
 * Starts several servers at once. Of those with the same name, the second is called `name-1`, the third `name-2`.
 * @throws ParleyError `config-invalid` for a definition that could not work; `mcp-server-failed` or `mcp-auth-required` for
 * the first server that does not start, unless such are skipped.
 */
export async function openMcpServers(
  definitions: readonly McpServerDefinition[],
  { startupPolicy = 'fail-fast', onSkip, ...options }: OpenMcpServersOptions = {},
): Promise<McpServers> {
  checkPolicy(startupPolicy)
  for (const [index, definition] of definitions.entries()) checkServerDefinition(definition, `servers.${index}`)
  const ids = assignServerIds(definitions.map(({ name }) => name))
  const firstFailure = new AbortController()
  const signal =
    options.signal === undefined ? firstFailure.signal : AbortSignal.any([options.signal, firstFailure.signal])
  const isFatal = (error: unknown): boolean => startupPolicy === 'fail-fast' || !isOneServers(error)
  const results = await Promise.allSettled(
    definitions.map((definition, index) =>
      openMcpServer({ ...definition, name: ids[index] ?? definition.name }, { ...options, signal }).catch(
        (error: unknown) => {
          // The others need not finish a start that is in vain.
          if (isFatal(error)) firstFailure.abort(error)
          throw error
        },
      ),
    ),
  )
  const opened = toMcpServers(results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])))
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') continue
    if (isFatal(result.reason)) {
      await opened.close()
      throw result.reason
    }
    callListener(() => onSkip?.(ids[index] ?? '', toErrorInfo(result.reason)))
  }
  return opened
}

function toMcpServers(servers: readonly McpServer[]): McpServers {
  let closing: Promise<McpServersReport> | undefined
  async function closeAll(): Promise<McpServersReport> {
    const reports = await Promise.all(servers.map(async server => ({ name: server.name, ...(await server.close()) })))
    return { killed: reports.filter(({ outcome }) => outcome === 'killed').length, servers: reports }
  }
  const close = (): Promise<McpServersReport> => (closing ??= closeAll())
  return {
    servers,
    get(name) {
      const found = servers.find(server => server.name === name)
      if (found !== undefined) return found
      const known = servers.map(server => server.name).join(', ')
      const detail = `there is no server '${name}' (known: ${known === '' ? 'none' : known})`
      throw new ParleyError({ code: 'config-invalid', path: 'servers', detail })
    },
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}

function isOneServers(error: unknown): boolean {
  return ParleyError.is(error, 'mcp-server-failed') || ParleyError.is(error, 'mcp-auth-required')
}

function checkPolicy(policy: string): void {
  if (policy === 'fail-fast' || policy === 'log-and-continue') return
  const detail = `'${policy}' is unknown; use 'fail-fast' or 'log-and-continue'`
  throw new ParleyError({ code: 'config-invalid', path: 'startupPolicy', detail })
}
