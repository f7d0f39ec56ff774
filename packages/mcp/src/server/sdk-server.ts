import type { Server } from '@modelcontextprotocol/server'
import type { ServedTools } from './served-tools.ts'

export interface SdkServerOptions {
  readonly name: string
  readonly version: string
  readonly instructions?: string | undefined
  readonly served: ServedTools
}

/** Creates the SDK's server for one connection, or for one request if the protocol revision has no connections. */
export async function createSdkServer({ name, version, instructions, served }: SdkServerOptions): Promise<Server> {
  const { Server } = await import('@modelcontextprotocol/server')
  const server = new Server(
    { name, version },
    { capabilities: { tools: { listChanged: true } }, ...(instructions === undefined ? {} : { instructions }) },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: await served.list() }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    return await served.call(params.name, params.arguments ?? {}, {
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
  return server
}
