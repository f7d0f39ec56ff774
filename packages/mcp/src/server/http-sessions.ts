import type { McpServer, WebStandardStreamableHTTPServerTransport as Transport } from '@modelcontextprotocol/server'

/** The sessions of clients that speak a revision before 2026-07-28. */
export interface HttpSessions {
  respond(request: Request): Promise<Response>
  close(): Promise<void>
}

export interface HttpSessionsOptions {
  readonly makeServer: () => Promise<McpServer>
  /** Maximum number of sessions. One more ends the session that was used longest ago. @default 1_000 */
  readonly maxSessions?: number | undefined
}

/** Keeps a server for each session. With a new server for each request, a client could not cancel calls or see changes. */
export function createHttpSessions({ makeServer, maxSessions = 1_000 }: HttpSessionsOptions): HttpSessions {
  // Ordered by last use, newest last.
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
    // The request was not a handshake; the transport has refused it.
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  return {
    async respond(request) {
      const id = request.headers.get('mcp-session-id')
      if (id === null) return await begin(request)
      const transport = sessions.get(id)
      // The protocol requires 404 for an ended session, so that the client starts a new one.
      if (transport === undefined) return new Response('The session is unknown.', { status: 404 })
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
