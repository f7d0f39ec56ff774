import type { AddressInfo } from 'node:net'
import { DemoInMemoryAuthProvider } from '@modelcontextprotocol/sdk/examples/server/demoInMemoryOAuthProvider.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express, { type Request, type Response } from 'express'

/** An MCP server with one tool, protected by the authorization server of the official SDK. */
export interface OAuthServer extends AsyncDisposable {
  readonly url: string
  /** How often the authorization page was opened. */
  readonly pages: number
  /** Whether the user approves the access. */
  agrees: boolean
}

export async function openOAuthServer(): Promise<OAuthServer> {
  const app = express()
  const http = app.listen(0, '127.0.0.1')
  await new Promise(resolve => http.once('listening', resolve))
  const origin = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
  let pages = 0
  const server: OAuthServer = {
    url: new URL('/mcp', origin).href,
    get pages() {
      return pages
    },
    agrees: true,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
  const provider = new DemoInMemoryAuthProvider()
  const authorize = provider.authorize.bind(provider)
  provider.authorize = async (client, params, response) => {
    pages += 1
    if (server.agrees) return await authorize(client, params, response)
    const answer = new URLSearchParams({ error: 'access_denied', state: params.state ?? '' })
    response.redirect(`${params.redirectUri}?${answer.toString()}`)
  }
  const resourceServerUrl = new URL(server.url)
  app.use(mcpAuthRouter({ provider, issuerUrl: origin, resourceServerUrl, scopesSupported: ['tools'] }))
  const resourceMetadataUrl = new URL('/.well-known/oauth-protected-resource/mcp', origin).href
  app.all('/mcp', requireBearerAuth({ verifier: provider, resourceMetadataUrl }), (request, response, next) => {
    answer(request, response).catch(next)
  })
  return server
}

/** Answers statelessly: each request gets its own MCP server. */
async function answer(request: Request, response: Response): Promise<void> {
  const mcp = new McpServer({ name: 'guarded', version: '1' })
  mcp.registerTool('whoami', { description: 'Says who asks.' }, () => ({ content: [{ type: 'text', text: 'you' }] }))
  const transport = new StreamableHTTPServerTransport({})
  await mcp.connect(transport)
  await transport.handleRequest(request, response)
}
