import { ParleyError, toErrorInfo, type ErrorInfo } from '@parley/core'
import { callListener } from './call-listener.ts'
import type { McpServerDefinition } from './mcp-server-definition.ts'
import type { McpServer } from './mcp-server.ts'
import { openMcpServer, type OpenMcpServerOptions } from './open-mcp-server.ts'

export interface OpenMcpServersOptions extends Omit<OpenMcpServerOptions, 'onNotification'> {
  /**
   * What one server that does not start means: `fail` closes the others and throws, `skip` goes on without it.
   * @default 'fail'
   */
  readonly onFailure?: 'fail' | 'skip' | undefined
  /** Called for each server that is skipped. @default nothing is called */
  readonly onSkip?: ((name: string, error: ErrorInfo) => void) | undefined
}

/** Several servers that end together. In the order of their definitions, without the skipped ones. */
export interface McpServers extends AsyncDisposable {
  readonly servers: readonly McpServer[]
}

/**
 * Starts several servers at once.
 * @throws ParleyError `config-invalid` for a definition that could not work or a name used twice; `mcp-server-failed` or
 * `mcp-auth-required` for the first server that does not start, unless such are skipped.
 */
export async function openMcpServers(
  definitions: readonly McpServerDefinition[],
  { onFailure = 'fail', onSkip, ...options }: OpenMcpServersOptions = {},
): Promise<McpServers> {
  refuseDuplicates(definitions)
  const firstFailure = new AbortController()
  const signal =
    options.signal === undefined ? firstFailure.signal : AbortSignal.any([options.signal, firstFailure.signal])
  const isFatal = (error: unknown): boolean => onFailure === 'fail' || !isOneServers(error)
  const results = await Promise.allSettled(
    definitions.map(definition =>
      openMcpServer(definition, { ...options, signal }).catch((error: unknown) => {
        // The others need not finish a start that is in vain.
        if (isFatal(error)) firstFailure.abort(error)
        throw error
      }),
    ),
  )
  const servers = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const closeAll = async (): Promise<void> => void (await Promise.all(servers.map(server => server.close())))

  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') continue
    if (isFatal(result.reason)) {
      await closeAll()
      throw result.reason
    }
    callListener(() => onSkip?.(definitions[index]?.name ?? '', toErrorInfo(result.reason)))
  }
  return { servers, [Symbol.asyncDispose]: closeAll }
}

function isOneServers(error: unknown): boolean {
  return ParleyError.is(error, 'mcp-server-failed') || ParleyError.is(error, 'mcp-auth-required')
}

function refuseDuplicates(definitions: readonly McpServerDefinition[]): void {
  const seen = new Set<string>()
  for (const [index, { name }] of definitions.entries()) {
    if (seen.has(name)) {
      throw new ParleyError({
        code: 'config-invalid',
        path: `servers.${index}.name`,
        detail: `'${name}' is used twice`,
      })
    }
    seen.add(name)
  }
}
