import type { McpRequestContext, McpServer } from '@modelcontextprotocol/server'
import { inputSchemaOf, type NamedTools, type ServedTools } from './served-tools.ts'

export interface SdkServerOptions {
  readonly name: string
  readonly version: string
  readonly instructions?: string | undefined
  readonly served: ServedTools
}

/**
 * Creates the SDK's server for one connection, or for one request if the protocol revision has no connections.
 * @param context What the SDK knows about the request. @default none, for a connection
 */
export async function createSdkServer(
  { name, version, instructions, served }: SdkServerOptions,
  context?: McpRequestContext,
): Promise<McpServer> {
  const { McpServer } = await import('@modelcontextprotocol/server')
  const mcp = new McpServer({ name, version }, instructions === undefined ? {} : { instructions })
  const { server } = mcp
  server.registerCapabilities({ tools: { listChanged: true } })
  const called = await toolsOfCall(served, context)
  // Before a call, the SDK compares the `Mcp-Param-*` headers with the arguments that this schema marks with `x-mcp-header`.
  mcp.toolInputSchemaJson = tool => inputSchemaOf(called?.get(tool))
  server.setRequestHandler('tools/list', async () => ({ tools: await served.list() }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    return await served.call(params.name, params.arguments ?? {}, {
      tools: called,
      signal: mcpReq.signal,
      onProgress(progress) {
        if (token === undefined) return
        // The client may have disconnected.
        mcpReq
          .notify({ method: 'notifications/progress', params: { progressToken: token, ...progress } })
          .catch(() => {})
      },
    })
  })
  const stop = served.onChange(() => void server.sendToolListChanged().catch(() => {}))
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server has no addEventListener
  server.onclose = stop
  return mcp
}

/**
 * Lists the tools for a call whose headers must be checked: one over HTTP, in a revision that has these headers. If the
 * listing fails, the call lists again and reports the failure.
 */
async function toolsOfCall(
  served: ServedTools,
  context: McpRequestContext | undefined,
): Promise<NamedTools | undefined> {
  const isCall = context?.era === 'modern' && context.requestInfo?.headers.get('mcp-method') === 'tools/call'
  return isCall ? await served.tools().catch(() => undefined) : undefined
}
