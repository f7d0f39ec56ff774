import { chmod, mkdtemp, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ParleyError } from '@parley/core'
import { notTried } from '@parley-tooling/test-run/not-tried'
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
  it('an open server is ready and gives its instructions, capabilities and revision', async () => {
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

  it('a child process gets only the harmless variables and those of its definition', async () => {
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

  it('a child process runs in the directory of its definition', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
    await using server = await openMcpServer(fixtureServer('scripted.mjs', { cwd }))
    expect(await readlink(`/proc/${server.pid}/cwd`)).toBe(cwd)
    await rm(cwd, { recursive: true })
  })

  it('lists that a server does not offer are empty, and nothing is written to the console', async () => {
    const spies = (['debug', 'log', 'info'] as const).map(method => vi.spyOn(console, method))
    await using server = await openMcpServer(fixtureServer('offers-nothing.mjs'))
    const lists = [server.listTools(), server.listPrompts(), server.listResources(), server.listResourceTemplates()]
    expect(await Promise.all(lists)).toEqual([[], [], [], []])
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })

  it('the client skips garbage on stdout and receives the messages between', async () => {
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
  it('an invalid definition is rejected before a process starts', async () => {
    expect(await failure(openMcpServer(fixtureServer('scripted.mjs', { cwd: 'relative' })))).toBe(
      "config-invalid: server.cwd: must be an absolute path, not 'relative'",
    )
  })

  it('the error names a program that does not exist', async () => {
    const opening = openMcpServer({ transport: 'stdio', name: 'gone', command: 'no-such-program' })
    expect(await failure(opening)).toBe(
      "mcp-server-failed: MCP server 'gone' failed: the program 'no-such-program' was not found as a file or on PATH",
    )
  })

  it('the error names a program that does not exist, also if a directory of PATH cannot be searched', async context => {
    if (process.getuid?.() === 0)
      notTried(context, 'a directory that cannot be searched', 'root can search every directory')
    const locked = await mkdtemp(join(tmpdir(), 'parley-locked-'))
    await chmod(locked, 0o000)
    const environment = { PATH: `${locked}:${process.env['PATH']}` }
    const opening = openMcpServer({ transport: 'stdio', name: 'gone', command: 'no-such-program' }, { environment })
    expect(await failure(opening)).toContain("the program 'no-such-program' was not found as a file or on PATH")
    await rm(locked, { recursive: true })
  })

  it('the error names a working directory that does not exist, not the program', async () => {
    const opening = openMcpServer(fixtureServer('scripted.mjs', { cwd: '/no/such/place' }))
    expect(await failure(opening)).toBe(
      "mcp-server-failed: MCP server 'fix' failed: its working directory /no/such/place does not exist",
    )
  })

  it('the error tells in one line how the process exited and its stderr, without secrets', async () => {
    const definition = fixtureServer('dies-at-start.mjs', { env: { DATABASE_TOKEN: 'hunter2' } })
    expect(await failure(openMcpServer(definition))).toBe(
      `mcp-server-failed: MCP server 'fix' failed: '${process.execPath}' exited with code 3. ` +
        'Its stderr ends: fatal: no database at [redacted] (during the handshake)',
    )
  })

  it('a server that does not finish the handshake in time is stopped', async () => {
    await using witness = await openWitness()
    // A shell starts sooner than Node.js, so its process id is known before the timeout.
    const script = 'echo still thinking >&2; echo $$ > "$PID_FILE"; exec sleep 600'
    const shell = { transport: 'stdio', name: 'fix', command: 'sh', args: ['-c', script] } as const
    const opening = failure(openMcpServer({ ...shell, startupTimeoutMs: 2_000, env: witness.env }))
    const pid = await witness.pid()
    expect(isRunning(pid)).toBe(true)
    expect(await opening).toBe(
      "mcp-server-failed: MCP server 'fix' failed: it did not finish the handshake within 2000 ms; " +
        "'sh' is running. Its stderr ends: still thinking",
    )
    expect(isRunning(pid)).toBe(false)
  })

  it('aborting the start stops the server and rejects with the reason', async () => {
    await using witness = await openWitness()
    const controller = new AbortController()
    const definition = fixtureServer('never-answers.mjs', { env: witness.env })
    const opening = openMcpServer(definition, { signal: controller.signal })
    opening.catch(() => {})
    const pid = await witness.pid()
    expect(isRunning(pid)).toBe(true)
    const reason = new Error('no longer needed')
    controller.abort(reason)
    await expect(opening).rejects.toBe(reason)
    expect(isRunning(pid)).toBe(false)
  })
})

describe.concurrent('closing', () => {
  it('close ends a server that watches its stdin without a signal, once', async () => {
    const server = await openMcpServer(fixtureServer('scripted.mjs'))
    const reports = await Promise.all([server.close(), server.close()])
    expect(reports).toEqual([
      { outcome: 'exited', exitCode: 0 },
      { outcome: 'exited', exitCode: 0 },
    ])
    expect(await failure(server.ping())).toBe("mcp-server-failed: MCP server 'fix' failed: the server is closed")
  })

  it('close sends SIGTERM to a server that ignores its stdin', async () => {
    const server = await openMcpServer(fixtureServer('ignores-stdin-close.mjs'))
    const { pid = 0 } = server
    expect(await server.close()).toEqual({ outcome: 'terminated', signal: 'SIGTERM' })
    expect(isRunning(pid)).toBe(false)
  })

  it('close kills a server that ignores SIGTERM', async () => {
    const server = await openMcpServer(fixtureServer('ignores-stdin-close.mjs', { args: ['stubborn'] }))
    const { pid = 0 } = server
    expect(await server.close()).toEqual({ outcome: 'killed', signal: 'SIGKILL' })
    expect(isRunning(pid)).toBe(false)
  })

  it.each([
    ['terminated', [] as string[]],
    ['killed', ['stubborn']],
  ])('close ends the grandchildren: %s', async (outcome, args) => {
    const server = await openMcpServer(fixtureServer('spawns-grandchild.mjs', { args }))
    const result = await server.callTool('grandchild', {})
    const grandchild = Number(result.content[0]?.['text'])
    expect(isRunning(grandchild)).toBe(true)
    expect(await server.close()).toEqual({ outcome, exitCode: 0 })
    expect(isRunning(grandchild)).toBe(false)
  })

  it('close rejects pending calls', async () => {
    const server = await openMcpServer(fixtureServer('scripted.mjs'))
    const hanging = failure(server.callTool('hang', {}))
    await server.close()
    expect(await hanging).toMatch(/^mcp-request-failed: .* the server was lost/)
  })
})

describe('a server that starts again', () => {
  /** Processes that this one started and that run. Tests of other files may have started some. */
  async function children(): Promise<readonly string[]> {
    const pids = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    return pids.split(' ').filter(pid => pid !== '' && isRunning(Number(pid)))
  }

  it('closing a server while it restarts leaves no process running', async () => {
    const before = await children()
    const server = await openMcpServer(fixtureServer('scripted.mjs'))
    process.kill(server.pid ?? 0, 'SIGKILL')
    await expect.poll(() => server.status.state).toBe('failed')
    const asking = failure(server.ping())
    expect(await server.close()).toEqual({ outcome: 'not-running' })
    expect(await asking).toBe("mcp-server-failed: MCP server 'fix' failed: the server was closed while it started")
    expect(server.status).toEqual({ state: 'stopped' })
    expect((await children()).filter(pid => !before.includes(pid))).toEqual([])
  })
})

describe.concurrent('a server that dies', () => {
  it('a server that died has the status failed until the next call starts it again', async () => {
    const states: string[] = []
    await using server = await openMcpServer(fixtureServer('scripted.mjs'), {
      onEvent: event => event.type === 'mcp.server.state' && states.push(event.status.state),
    })
    const first = server.pid ?? 0
    process.kill(first, 'SIGKILL')
    await vi.waitUntil(() => server.status.state === 'failed', 30_000)
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

  it('the process group of a server that died is killed', async () => {
    await using server = await openMcpServer(fixtureServer('spawns-grandchild.mjs', { args: ['stubborn'] }))
    const result = await server.callTool('grandchild', {})
    const grandchild = Number(result.content[0]?.['text'])
    process.kill(server.pid ?? 0, 'SIGKILL')
    await vi.waitUntil(() => !isRunning(grandchild), 30_000)
  })

  it('a server is restarted at most three times within a minute', async () => {
    let now = 0
    await using server = await openMcpServer(fixtureServer('scripted.mjs'), { now: () => now })
    const crash = (): Promise<string> => failure(server.callTool('crash', {}))
    for (let count = 0; count < 4; count += 1) {
      expect(await crash()).toMatch(/^mcp-request-failed: .* exited with code 7\. Its stderr ends: boom$/)
    }
    const refusal =
      "mcp-server-failed: MCP server 'fix' failed: it was restarted 3 times within 60 s, so it is not restarted for a while. " +
      `Its last failure: '${process.execPath}' exited with code 7. Its stderr ends: boom`
    expect(await crash()).toBe(refusal)
    expect(await crash()).toBe(refusal)
    expect(server.status.state).toBe('failed')
    now = 60_000
    await server.ping()
    expect(server.status.state).toBe('ready')
  })

  it('concurrent calls restart a server once', async () => {
    await using server = await openMcpServer(fixtureServer('scripted.mjs'))
    process.kill(server.pid ?? 0, 'SIGKILL')
    await vi.waitUntil(() => server.status.state === 'failed', 30_000)
    await Promise.all([server.ping(), server.listTools(), server.callTool('echo', { text: 'a' }), server.ping()])
    process.kill(server.pid ?? 0, 'SIGKILL')
    await vi.waitUntil(() => server.status.state === 'failed', 30_000)
    // Two of the three restarts are left: the concurrent calls used one.
    for (let left = 2; left > 0; left -= 1) await failure(server.callTool('crash', {}))
    expect(await failure(server.ping())).toContain('not restarted for a while')
  })
})

/** Reads the process id of a server that never finishes its handshake. */
async function openWitness(): Promise<{ env: Record<string, string>; pid: () => Promise<number> } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
  const file = join(directory, 'pid')
  return {
    env: { PID_FILE: file },
    async pid() {
      await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('')
      return Number(await readFile(file, 'utf8'))
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true })
    },
  }
}
