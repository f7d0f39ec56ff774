import type { McpRequestContext, McpServer } from '@modelcontextprotocol/server'
import { serveCompletions } from './serve-completions.ts'
import { servePrompts, type McpServedPrompt } from './serve-prompts.ts'
import { serveResources, type McpServedResource } from './serve-resources.ts'
import type { ServedParts } from './served-parts.ts'
import { inputSchemaOf, type NamedTools, type ServedTools } from './served-tools.ts'

export interface SdkServerOptions {
  readonly name: string
  readonly version: string
  readonly instructions?: string | undefined
  readonly served: ServedTools
  readonly prompts: readonly McpServedPrompt[]
  readonly resources: readonly McpServedResource[]
  readonly guard: ServedParts['guard']
  /** Aborted when the server closes. */
  readonly signal: AbortSignal
}

/**
 * Creates the SDK's server for one connection, or for one request if the protocol revision has no connections.
 * @param context What the SDK knows about the request. @default none, for a connection
 */
export async function createSdkServer(
  { name, version, instructions, served, ...offered }: SdkServerOptions,
  context?: McpRequestContext,
): Promise<McpServer> {
  const sdk = await import('@modelcontextprotocol/server')
  const mcp = new sdk.McpServer({ name, version }, instructions === undefined ? {} : { instructions })
  const { server } = mcp
  const closers: (() => void)[] = []
  const isRequest = context?.requestInfo !== undefined
  const { guard, signal, prompts, resources } = offered
  const parts: ServedParts = { server, sdk, era: context?.era ?? 'legacy', isRequest, guard, signal, closers }
  await serveTools(mcp, served, { context, parts })
  servePrompts(prompts, parts)
  serveResources(resources, parts)
  serveCompletions({ prompts, resources }, parts)
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server has no addEventListener
  server.onclose = () => {
    for (const close of closers) close()
  }
  return mcp
}

async function serveTools(
  mcp: McpServer,
  served: ServedTools,
  { context, parts }: { readonly context: McpRequestContext | undefined; readonly parts: ServedParts },
): Promise<void> {
  const { server, closers } = parts
  server.registerCapabilities({ tools: { listChanged: true }, logging: {} })
  const called = await toolsOfCall(served, context)
  // Before a call, the SDK compares the `Mcp-Param-*` headers with the arguments that this schema marks with `x-mcp-header`.
  mcp.toolInputSchemaJson = tool => inputSchemaOf(called?.get(tool))
  server.setRequestHandler('tools/list', async () => ({ tools: await served.list() }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    // The client may have disconnected.
    const log = (level: 'info' | 'error', data: unknown): void =>
      void mcpReq.log(level, data, params.name).catch(() => {})
    const result = await served.call(params.name, params.arguments ?? {}, {
      tools: called,
      signal: mcpReq.signal,
      onProgress(progress) {
        if (token === undefined) return log('info', progress.message ?? progress)
        mcpReq
          .notify({ method: 'notifications/progress', params: { progressToken: token, ...progress } })
          .catch(() => {})
      },
    })
    if (result.isError === true) log('error', result.content)
    return result
  })
  closers.push(served.onChange(() => void server.sendToolListChanged().catch(() => {})))
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
