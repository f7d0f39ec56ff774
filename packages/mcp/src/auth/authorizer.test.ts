import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGuardedServer, type GuardedServer } from '../__fixtures__/open-guarded-server.ts'
import { createFileTokenStore } from './file-token-store.ts'
import type { McpAuth } from '../config/mcp-auth.ts'
import type { McpServer } from '../client/mcp-server.ts'
import { createMemoryTokenStore } from './memory-token-store.ts'
import { openMcpServer, type OpenMcpServerOptions } from '../client/open-mcp-server.ts'

/** A user who agrees to everything immediately. */
async function agree(url: URL): Promise<void> {
  await (await fetch(url)).body?.cancel()
}

interface OpenOptions extends OpenMcpServerOptions {
  readonly auth?: McpAuth
}

function open({ url }: GuardedServer, { auth, ...options }: OpenOptions = {}): Promise<McpServer> {
  return openMcpServer({ transport: 'http', name: 'web', url, ...(auth === undefined ? {} : { auth }) }, options)
}

const count = ({ seen }: GuardedServer, name: string): number => seen.filter(item => item.startsWith(name)).length

describe('user consent', () => {
  it('openMcpServer opens a server once the user has agreed, and does not ask again while the store has the token', async () => {
    await using guarded = await openGuardedServer()
    const tokenStore = createMemoryTokenStore()
    const states: string[] = []
    await using server = await open(guarded, {
      tokenStore,
      openBrowser: agree,
      onEvent: event => event.type === 'mcp.server.state' && states.push(event.status.state),
    })
    expect(states).toEqual(['connecting', 'needs-auth', 'connecting', 'ready'])
    expect(await server.tools()).toHaveLength(2)
    await using again = await open(guarded, { tokenStore })
    expect(again.status.state).toBe('ready')
    expect(guarded.seen).toEqual(['refused', 'register', 'authorize read', 'token authorization_code'])
  })

  it('a server that requires authorization fails with mcp-auth-required without openBrowser', async () => {
    await using guarded = await openGuardedServer()
    await expect(open(guarded)).rejects.toMatchObject({
      info: {
        code: 'mcp-auth-required',
        server: 'web',
        detail: 'the server requires authorization, and openBrowser is not configured',
      },
    })
    await expect(open(guarded, { auth: { grant: 'none' } })).rejects.toMatchObject({ code: 'mcp-server-failed' })
  })

  it('the startup timeout does not include the time that the user takes', async () => {
    await using guarded = await openGuardedServer()
    const openBrowser = async (url: URL): Promise<void> => {
      await new Promise(resolve => setTimeout(resolve, 2_500))
      await agree(url)
    }
    const definition = { transport: 'http', name: 'web', url: guarded.url, startupTimeoutMs: 2_000 } as const
    await using server = await openMcpServer(definition, { openBrowser })
    expect(server.status.state).toBe('ready')
  })

  it('opening a server fails when the user takes too long or refuses', async () => {
    await using guarded = await openGuardedServer()
    await expect(open(guarded, { openBrowser: () => {}, authTimeoutMs: 50 })).rejects.toThrow(
      'the user did not agree within 50 ms',
    )
    guarded.refuses = 'access_denied'
    await expect(open(guarded, { openBrowser: agree })).rejects.toThrow('the request was refused: access_denied')
  })

  it('the client shows only http: and https: authorization URLs', async () => {
    await using guarded = await openGuardedServer()
    guarded.page = 'file:///etc/passwd'
    const shown: URL[] = []
    const openBrowser = (url: URL): void => void shown.push(url)
    await expect(open(guarded, { openBrowser })).rejects.toMatchObject({ code: 'mcp-auth-required' })
    expect(shown).toEqual([])
  })

  it('after a refusal, the client asks the user again only on reauthenticate', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { openBrowser: agree })
    await server.tools()
    guarded.refuses = 'access_denied'
    guarded.refreshStatus = 400
    guarded.expire()
    await expect(server.callTool('look', {})).rejects.toMatchObject({ code: 'mcp-auth-required' })
    await expect(server.callTool('look', {})).rejects.toMatchObject({ code: 'mcp-auth-required' })
    expect(server.status.state).toBe('needs-auth')
    expect(count(guarded, 'authorize')).toBe(2)
    guarded.refuses = undefined
    await server.reauthenticate()
    expect(server.status.state).toBe('ready')
    expect((await server.callTool('look', {})).content).toHaveLength(1)
  })

  it('a tool call that needs a refused authorization returns mcp-auth-required to the model', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { openBrowser: agree })
    const [tool] = await server.tools()
    guarded.refuses = 'access_denied'
    guarded.refreshStatus = 400
    guarded.expire()
    const { signal } = new AbortController()
    const run = { runId: 'r', sessionId: 's', agent: 'a', scope: 'x', path: [], context: undefined }
    const outcome = await tool?.execute({}, { signal, callId: 'c', idempotencyKey: 'k', progress: () => {}, run })
    expect(outcome).toMatchObject({ type: 'error', retryable: false, error: { code: 'mcp-auth-required' } })
  })
})

describe('tokens', () => {
  it('concurrent calls refresh an expired token once, without asking the user', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { openBrowser: agree })
    guarded.expire()
    await Promise.all([1, 2, 3, 4, 5].map(() => server.callTool('look', {})))
    expect(count(guarded, 'token refresh_token')).toBe(1)
    expect(count(guarded, 'authorize')).toBe(1)
  })

  it('servers that share a token file refresh an expired token once', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
    await using place = {
      path: join(directory, 'tokens.json'),
      [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
    }
    const { path } = place
    await using guarded = await openGuardedServer()
    await using one = await open(guarded, { tokenStore: createFileTokenStore(path), openBrowser: agree })
    await using two = await open(guarded, { tokenStore: createFileTokenStore(path) })
    guarded.expire()
    await Promise.all([one.callTool('look', {}), two.callTool('look', {})])
    expect(count(guarded, 'token refresh_token')).toBe(1)
  })

  it('the client keeps its token when a refresh fails with status 500', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { openBrowser: agree })
    guarded.expire()
    guarded.refreshStatus = 500
    await expect(server.callTool('look', {})).rejects.toMatchObject({ code: 'mcp-request-failed' })
    guarded.refreshStatus = 200
    await server.callTool('look', {})
    expect(count(guarded, 'authorize')).toBe(1)
  })

  it('the client does not send a refresh token to another authorization server', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { openBrowser: agree })
    guarded.expire()
    guarded.moved = true
    await server.callTool('look', {})
    expect(count(guarded, 'token refresh_token')).toBe(0)
    expect(count(guarded, 'register')).toBe(2)
  })
})

describe('more scopes', () => {
  it('a tool that requires a further scope is called once the user has granted it with the old scopes', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { openBrowser: agree })
    expect((await server.callTool('write', {})).content).toEqual([{ type: 'text', text: 'done' }])
    expect(guarded.seen.filter(item => item.startsWith('authorize'))).toEqual([
      'authorize read',
      'authorize read write',
    ])
  })

  it('the client asks the user at most three times for a server that always requires another scope', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { openBrowser: agree })
    guarded.insatiable = true
    await expect(server.callTool('look', {})).rejects.toMatchObject({ code: 'mcp-auth-required' })
    expect(count(guarded, 'authorize')).toBe(3)
  })
})

describe('client credentials', () => {
  const auth = { grant: 'client-credentials', clientId: 'robot', clientSecret: 'secret' } as const

  it('a client with a secret gets new tokens without the user', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { auth })
    guarded.expire()
    await server.callTool('look', {})
    await server.reauthenticate()
    expect(count(guarded, 'token client_credentials')).toBe(3)
  })

  it('a wrong client secret fails with mcp-auth-required and invalid_client', async () => {
    await using guarded = await openGuardedServer()
    await expect(open(guarded, { auth: { ...auth, clientSecret: 'wrong' } })).rejects.toMatchObject({
      info: { code: 'mcp-auth-required', detail: expect.stringContaining('invalid_client') as string },
    })
  })

  it('a wrong authorization header fails with mcp-server-failed', async () => {
    await using guarded = await openGuardedServer()
    await using server = await open(guarded, { auth })
    const { url } = guarded
    const token = 'Bearer x'
    await expect(
      openMcpServer({ transport: 'http', name: 'web', url, headers: { Authorization: token } }),
    ).rejects.toMatchObject({ code: 'mcp-server-failed' })
    expect(server.status.state).toBe('ready')
  })
})
