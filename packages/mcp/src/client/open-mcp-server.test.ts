import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ParleyError } from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import { fixtureServer, isRunning } from '../__fixtures__/fixture-server.ts'
import { openMcpServer } from './open-mcp-server.ts'

async function failure(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'nothing was thrown',
    (reason: unknown) => reason,
  )
  return ParleyError.is(error) ? `${error.code}: ${error.message}` : String(error)
}

describe('an open server', () => {
  it('is ready, and tells who it is', async () => {
    const states: string[] = []
    const server = await openMcpServer(fixtureServer('scripted.mjs'), {
      onEvent: event => event.type === 'mcp.server.state' && states.push(event.status.state),
    })
    expect(server.status).toEqual({ state: 'ready' })
    expect(server.instructions).toBe('Be gentle.')
    expect(server.capabilities).toEqual({ tools: { listChanged: true } })
    expect(server.protocolVersion).toBe('2025-11-25')
    expect(isRunning(server.pid ?? 0)).toBe(true)
    await server.close()
    expect(states).toEqual(['connecting', 'ready', 'stopped'])
  })

  it('gives the child the harmless variables and its own, and no secret of this process', async () => {
    const environment = { ...process.env, LANG: 'C.UTF-8', OPENAI_API_KEY: 'sk-secret', NODE_OPTIONS: '--no-warnings' }
    const definition = fixtureServer('scripted.mjs', { env: { TOKEN: 'given' } })
    await using server = await openMcpServer(definition, { environment })
    const raw = await readFile(`/proc/${server.pid}/environ`, 'utf8')
    const keys = raw.split('\0').map(pair => pair.split('=')[0] ?? '')
    expect(raw).toContain('LANG=C.UTF-8')
    expect(raw).toContain('TOKEN=given')
    const allowed = ['', 'PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL', 'TOKEN']
    expect(keys.filter(key => !allowed.includes(key))).toEqual([])
  })

  it('runs in the directory it was given', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
    await using server = await openMcpServer(fixtureServer('scripted.mjs', { cwd }))
    expect(await readlink(`/proc/${server.pid}/cwd`)).toBe(cwd)
    await rm(cwd, { recursive: true })
  })

  it('lists nothing of what the server does not offer, and says nothing on the console', async () => {
    const spies = (['debug', 'log', 'info'] as const).map(method => vi.spyOn(console, method))
    await using server = await openMcpServer(fixtureServer('offers-nothing.mjs'))
    const lists = [server.listTools(), server.listPrompts(), server.listResources(), server.listResourceTemplates()]
    expect(await Promise.all(lists)).toEqual([[], [], [], []])
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })

  it('hears the server through garbage on its stdout', async () => {
    const heard: unknown[] = []
    const onNotification = (method: string, params: unknown): void => void heard.push([method, params])
    await using server = await openMcpServer(fixtureServer('prints-garbage.mjs'), { onNotification })
    expect((await server.listTools()).map(({ name }) => name)).toEqual(['fine'])
    expect(heard).toEqual([
      ['notifications/message', { level: 'info', data: 'crlf' }],
      ['notifications/message', { level: 'info', data: 'batch' }],
    ])
  })
})

describe('a server that does not start', () => {
  it('is refused before anything is started when its definition cannot work', async () => {
    expect(await failure(openMcpServer(fixtureServer('scripted.mjs', { cwd: 'relative' })))).toBe(
      "config-invalid: server.cwd: 'relative' must be an absolute path",
    )
  })

  it('names a program that does not exist', async () => {
    const opening = openMcpServer({ transport: 'stdio', name: 'gone', command: 'no-such-program' })
    expect(await failure(opening)).toBe(
      "mcp-server-failed: MCP server 'gone' failed: there is no program 'no-such-program' (not a file, not on PATH)",
    )
  })

  it('names a directory that does not exist, not the program', async () => {
    const opening = openMcpServer(fixtureServer('scripted.mjs', { cwd: '/no/such/place' }))
    expect(await failure(opening)).toBe(
      "mcp-server-failed: MCP server 'fix' failed: its working directory /no/such/place does not exist",
    )
  })

  it('says in one line how the process died and what it wrote, without secrets', async () => {
    const definition = fixtureServer('dies-at-start.mjs', { env: { DATABASE_TOKEN: 'hunter2' } })
    expect(await failure(openMcpServer(definition))).toBe(
      `mcp-server-failed: MCP server 'fix' failed: '${process.execPath}' exited with code 3. ` +
        'Its stderr ends: fatal: no database at [redacted] (during the handshake)',
    )
  })

  it('is given up and gone when the handshake takes too long', async () => {
    await using witness = await openWitness()
    const definition = fixtureServer('never-answers.mjs', { startupTimeoutMs: 700, env: witness.env })
    const opening = failure(openMcpServer(definition))
    const pid = await witness.pid()
    expect(isRunning(pid)).toBe(true)
    expect(await opening).toBe(
      "mcp-server-failed: MCP server 'fix' failed: it did not finish the handshake within 700 ms; " +
        `'${process.execPath}' is running. Its stderr ends: still thinking`,
    )
    expect(isRunning(pid)).toBe(false)
  })

  it('is gone when the start is aborted, and the reason is kept', async () => {
    await using witness = await openWitness()
    const controller = new AbortController()
    const definition = fixtureServer('never-answers.mjs', { env: witness.env })
    const opening = openMcpServer(definition, { signal: controller.signal })
    opening.catch(() => {})
    const pid = await witness.pid()
    expect(isRunning(pid)).toBe(true)
    const reason = new Error('changed my mind')
    controller.abort(reason)
    await expect(opening).rejects.toBe(reason)
    expect(isRunning(pid)).toBe(false)
  })
})

describe.concurrent('closing', () => {
  it('needs no signal for a server that minds its stdin, and is done once', async () => {
    const server = await openMcpServer(fixtureServer('scripted.mjs'))
    const reports = await Promise.all([server.close(), server.close()])
    expect(reports).toEqual([
      { outcome: 'exited', exitCode: 0 },
      { outcome: 'exited', exitCode: 0 },
    ])
    expect(await failure(server.ping())).toBe("mcp-server-failed: MCP server 'fix' failed: it is closed")
  })

  it('terminates a server that ignores its stdin', async () => {
    const server = await openMcpServer(fixtureServer('ignores-stdin-close.mjs'))
    const { pid = 0 } = server
    expect(await server.close()).toEqual({ outcome: 'terminated', signal: 'SIGTERM' })
    expect(isRunning(pid)).toBe(false)
  })

  it('kills a server that ignores SIGTERM', async () => {
    const server = await openMcpServer(fixtureServer('ignores-stdin-close.mjs', { args: ['stubborn'] }))
    const { pid = 0 } = server
    expect(await server.close()).toEqual({ outcome: 'killed', signal: 'SIGKILL' })
    expect(isRunning(pid)).toBe(false)
  })

  it.each([
    ['terminated', [] as string[]],
    ['killed', ['stubborn']],
  ])('takes the grandchildren along: %s', async (outcome, args) => {
    const server = await openMcpServer(fixtureServer('spawns-grandchild.mjs', { args }))
    const result = await server.callTool('grandchild', {})
    const grandchild = Number(result.content[0]?.['text'])
    expect(isRunning(grandchild)).toBe(true)
    expect(await server.close()).toEqual({ outcome, exitCode: 0 })
    expect(isRunning(grandchild)).toBe(false)
  })

  it('rejects what is still being asked', async () => {
    const server = await openMcpServer(fixtureServer('scripted.mjs'))
    const hanging = failure(server.callTool('hang', {}))
    await server.close()
    expect(await hanging).toMatch(/^mcp-request-failed: .* the server was lost/)
  })
})

describe('a server that starts again', () => {
  it('is not left running when it is closed meanwhile', async () => {
    const server = await openMcpServer(fixtureServer('scripted.mjs'))
    process.kill(server.pid ?? 0, 'SIGKILL')
    await expect.poll(() => server.status.state, { timeout: 5_000 }).toBe('failed')
    const asking = failure(server.ping())
    expect(await server.close()).toEqual({ outcome: 'not-running' })
    expect(await asking).toBe("mcp-server-failed: MCP server 'fix' failed: it was closed while it started")
    expect(server.status).toEqual({ state: 'stopped' })
    const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    expect(
      children
        .trim()
        .split(' ')
        .filter(pid => isRunning(Number(pid))),
    ).toEqual([])
  })
})

describe.concurrent('a server that dies', () => {
  it('is failed, with the reason, until the next call starts it again', async () => {
    const states: string[] = []
    await using server = await openMcpServer(fixtureServer('scripted.mjs'), {
      onEvent: event => event.type === 'mcp.server.state' && states.push(event.status.state),
    })
    const first = server.pid ?? 0
    process.kill(first, 'SIGKILL')
    await vi.waitUntil(() => server.status.state === 'failed', { timeout: 5_000 })
    expect(server.status).toEqual({
      state: 'failed',
      error: {
        code: 'mcp-server-failed',
        server: 'fix',
        detail: `'${process.execPath}' was ended by SIGKILL. It wrote nothing to stderr.`,
      },
    })
    await server.ping()
    expect(server.pid).not.toBe(first)
    expect(states).toEqual(['connecting', 'ready', 'failed', 'connecting', 'ready'])
  })

  it('takes its process group along', async () => {
    await using server = await openMcpServer(fixtureServer('spawns-grandchild.mjs', { args: ['stubborn'] }))
    const result = await server.callTool('grandchild', {})
    const grandchild = Number(result.content[0]?.['text'])
    process.kill(server.pid ?? 0, 'SIGKILL')
    await vi.waitUntil(() => !isRunning(grandchild), { timeout: 5_000 })
  })

  it('is restarted three times within a minute, then left alone until the minute is over', async () => {
    let now = 0
    await using server = await openMcpServer(fixtureServer('scripted.mjs'), { now: () => now })
    const crash = (): Promise<string> => failure(server.callTool('crash', {}))
    for (let count = 0; count < 4; count += 1) {
      expect(await crash()).toMatch(/^mcp-request-failed: .* exited with code 7\. Its stderr ends: boom$/)
    }
    const refusal =
      "mcp-server-failed: MCP server 'fix' failed: it was restarted 3 times within 60 s and is left alone for a while. " +
      `Its last failure: '${process.execPath}' exited with code 7. Its stderr ends: boom`
    expect(await crash()).toBe(refusal)
    expect(await crash()).toBe(refusal)
    expect(server.status.state).toBe('failed')
    now = 60_000
    await server.ping()
    expect(server.status.state).toBe('ready')
  })

  it('is started once for several calls at the same time', async () => {
    await using server = await openMcpServer(fixtureServer('scripted.mjs'))
    process.kill(server.pid ?? 0, 'SIGKILL')
    await vi.waitUntil(() => server.status.state === 'failed', { timeout: 5_000 })
    await Promise.all([server.ping(), server.listTools(), server.callTool('echo', { text: 'a' }), server.ping()])
    process.kill(server.pid ?? 0, 'SIGKILL')
    await vi.waitUntil(() => server.status.state === 'failed', { timeout: 5_000 })
    // Two of the three restarts are left, so the first crash cost one.
    for (let left = 2; left > 0; left -= 1) await failure(server.callTool('crash', {}))
    expect(await failure(server.ping())).toContain('left alone')
  })
})

/** Learns the process id of a server that never comes to be open. */
async function openWitness(): Promise<{ env: Record<string, string>; pid: () => Promise<number> } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
  const file = join(directory, 'pid')
  return {
    env: { PID_FILE: file },
    async pid() {
      await expect.poll(() => readFile(file, 'utf8').catch(() => ''), { timeout: 5_000 }).not.toBe('')
      return Number(await readFile(file, 'utf8'))
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true })
    },
  }
}
