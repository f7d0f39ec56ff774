import type { Server, WebStandardStreamableHTTPServerTransport as Transport } from '@modelcontextprotocol/server'

/** Clients of the revisions before 2026-07-28, which are known by a session. */
export interface HttpSessions {
  respond(request: Request): Promise<Response>
  close(): Promise<void>
}

export interface HttpSessionsOptions {
  readonly makeServer: () => Promise<Server>
  /** Sessions that are kept; when there are more, the one that was used longest ago ends. @default 1_000 */
  readonly maxSessions?: number | undefined
}

/** Without a session a client could neither cancel a call nor hear of new tools: each request would meet another server. */
export function createHttpSessions({ makeServer, maxSessions = 1_000 }: HttpSessionsOptions): HttpSessions {
  // The one that was used last is the last one.
  const sessions = new Map<string, Transport>()

  function keep(id: string, transport: Transport): void {
    sessions.delete(id)
    sessions.set(id, transport)
    const [oldest] = sessions
    if (sessions.size <= maxSessions || oldest === undefined) return
    sessions.delete(oldest[0])
    void oldest[1].close()
  }

  async function begin(request: Request): Promise<Response> {
    const { WebStandardStreamableHTTPServerTransport } = await import('@modelcontextprotocol/server')
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: id => keep(id, transport),
      onsessionclosed: id => void sessions.delete(id),
    })
    const server = await makeServer()
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    // It was no handshake, and was answered so.
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  return {
    async respond(request) {
      const id = request.headers.get('mcp-session-id')
      if (id === null) return await begin(request)
      const transport = sessions.get(id)
      // What the protocol wants to hear of a session that has ended: the client begins another.
      if (transport === undefined) return new Response('There is no such session.', { status: 404 })
      keep(id, transport)
      return await transport.handleRequest(request)
    },
    async close() {
      const open = [...sessions.values()]
      sessions.clear()
      await Promise.all(open.map(async transport => await transport.close()))
    },
  }
}
