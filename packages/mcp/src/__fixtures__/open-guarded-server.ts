import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAuthorizationDesk, type AuthorizationDesk, type DeskBehaviour } from './authorization-desk.ts'

/** An MCP server that requires a token, and the authorization server that issues it, at one address. */
export interface GuardedServer extends AsyncDisposable, DeskBehaviour {
  readonly url: string
  /** Requests by name: `register`, `authorize <scope>`, `token <grant>`, `refused`, `tools/call`. */
  readonly seen: string[]
  /** Invalidates every token issued so far. */
  expire(): void
  /** URL of the page that the user sees. */
  page: string
  /** Whether the server now names another authorization server. */
  moved: boolean
  /** Whether every call requires a further scope. */
  insatiable: boolean
}

/**
 * Opens the server. The scope `read` is enough for everything except the tool `write`, which also requires the scope
 * `write`.
 */
export async function openGuardedServer(): Promise<GuardedServer> {
  const seen: string[] = []
  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const guarded: GuardedServer = {
    url: `${origin}/mcp`,
    seen,
    refuses: undefined,
    refreshStatus: 200,
    page: `${origin}/authorize`,
    moved: false,
    insatiable: false,
    expire: () => desk.expire(),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
  const issuer = (): string => (guarded.moved ? `${origin}/two` : origin)
  const desk = createAuthorizationDesk({ seen, issuer, behaviour: guarded })
  const answerMcp = createGuardedMcp({ origin, guarded, desk })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    switch (url.pathname.replace(/\/two$/, '')) {
      case '/mcp':
        return answerMcp(request, response)
      case '/.well-known/oauth-protected-resource':
        return sendJson(response, 200, { resource: guarded.url, authorization_servers: [issuer()] })
      case '/.well-known/oauth-authorization-server':
        return sendJson(response, 200, {
          issuer: issuer(),
          authorization_endpoint: guarded.page,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        })
      case '/register':
        seen.push('register')
        return sendJson(response, 201, { ...(JSON.parse(await text(request)) as object), client_id: randomUUID() })
      case '/authorize':
        return desk.authorize(url, response)
      case '/token': {
        const form = new URLSearchParams(await text(request))
        return sendJson(response, ...desk.answerToken(form, request.headers.authorization))
      }
      default:
        return void response.writeHead(404).end()
    }
  }

  return guarded
}

interface GuardedMcpOptions {
  readonly origin: string
  readonly guarded: GuardedServer
  readonly desk: AuthorizationDesk
}

function createGuardedMcp({ origin, guarded, desk }: GuardedMcpOptions) {
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource"`
  let wants = 0

  function missingScope(granted: string, tool: string | undefined): string | undefined {
    if (guarded.insatiable) return `more${(wants += 1)}`
    return tool === 'write' && !granted.split(' ').includes('write') ? 'write' : undefined
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const granted = desk.scopeOf(request.headers.authorization?.replace('Bearer ', ''))
    if (granted === undefined) {
      guarded.seen.push('refused')
      return void response.writeHead(401, { 'www-authenticate': `Bearer ${metadata}, scope="read"` }).end()
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: { name?: string } }
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'tools/call') {
      guarded.seen.push('tools/call')
      const missing = missingScope(granted, params?.name)
      if (missing !== undefined) {
        const challenge = `Bearer error="insufficient_scope", scope="${missing}", ${metadata}`
        return void response.writeHead(403, { 'www-authenticate': challenge }).end()
      }
    }
    const serverInfo = { name: 'guarded', version: '1' }
    const result = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools: ['look', 'write'].map(name => ({ name, inputSchema: { type: 'object' } })) },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    }[method]
    sendJson(response, 200, { jsonrpc: '2.0', id, result: result ?? {} })
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
