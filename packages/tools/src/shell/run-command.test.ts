import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notTried } from '@parley-tooling/test-run/not-tried'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { openWebServer } from '../__fixtures__/open-web-server.ts'
import { anything, fileOf, isAlive, openShell, sh } from './__fixtures__/open-shell.ts'
import { findNetworkIsolation } from './network-isolation.ts'

describe('a command that does not end', () => {
  it('a command is stopped at its timeout and returns its output so far', async () => {
    await using scene = await openShell({ graceMs: 100 })
    const { ok, text, outcome } = await scene.run(sh('echo begun; sleep 30'), { timeoutMs: 3_000 })
    expect(ok).toBe(false)
    expect(text).toBe(
      'begun\n[stopped after 3000 ms, with all processes it had started]\nAsk for more time with timeoutMs, or do less at once.',
    )
    expect(outcome).toMatchObject({ error: { code: 'tool-timeout', ms: 3_000 }, metadata: { timedOut: true } })
  })

  it.each([
    ['children', 'sleep 60 & echo $! > pids; sleep 60'],
    ['grandchildren', 'sh -c "sleep 60 & echo \\$! > pids; wait" & wait'],
    [
      'a child that ignores SIGTERM',
      'trap "" TERM; sh -c "trap \\"\\" TERM; echo \\$\\$ > pids; while :; do sleep 0.05; done" & wait',
    ],
    ['a child in its own session', 'setsid sh -c "echo \\$\\$ > pids; sleep 60" & wait'],
    ['an orphan in its own session', 'setsid sh -c "echo \\$\\$ > pids; exec sleep 60" & sleep 60'],
    ['a child that holds the output open', 'sleep 60 & echo $! > pids; exec sleep 60'],
  ])('stopping a command also ends %s', async (_, script) => {
    await using scene = await openShell({ graceMs: 150 })
    const stop = new AbortController()
    const running = scene.run(sh(script), { signal: stop.signal }).catch((error: unknown) => error)
    const pid = await fileOf(scene.temp, 'pids')
    expect(isAlive(pid)).toBe(true)
    stop.abort(new Error('enough'))
    expect(await running).toEqual(new Error('enough'))
    expect(isAlive(pid)).toBe(false)
  })

  it('the timeout of a command also ends the processes it started', async () => {
    await using scene = await openShell({ graceMs: 100 })
    await scene.run(sh('setsid sleep 60 & sleep 60 & echo $! > pids; wait'), { timeoutMs: 3_000 })
    expect(isAlive(await fileOf(scene.temp, 'pids'))).toBe(false)
  })

  it('the processes that a command started end when the command ends by itself', async () => {
    await using scene = await openShell()
    expect(await scene.facts(sh('sleep 60 & echo $! > pids; setsid sleep 60 & echo done'))).toMatchObject({
      stdout: 'done\n',
      exitCode: 0,
    })
    expect(isAlive(await fileOf(scene.temp, 'pids'))).toBe(false)
  })

  it('a command has graceMs to end by itself after SIGTERM', async () => {
    await using scene = await openShell({ graceMs: 5_000 })
    const { stdout } = await scene.facts(sh('trap "echo tidy; exit 0" TERM; while :; do sleep 0.02; done'), {
      timeoutMs: 3_000,
    })
    expect(stdout).toBe('tidy\n')
  })

  it('a command does not start if the signal is already aborted', async () => {
    await using scene = await openShell()
    const signal = AbortSignal.abort(new Error('stop'))
    await expect(scene.run(sh('echo > made'), { signal })).rejects.toThrow('stop')
    expect(existsSync(join(scene.temp.path, 'made'))).toBe(false)
  })

  it('a command gets at most maxTimeoutMs', async () => {
    await using scene = await openShell({ graceMs: 50, timeoutMs: 100, maxTimeoutMs: 250 })
    expect((await scene.run(['sleep', '30'], { timeoutMs: 60_000 })).text).toContain('stopped after 250 ms')
    expect(scene.tool.timeoutMs).toBeGreaterThan(250)
  })
})

it('a running command ends when this process exits', async () => {
  await using temp = await openTempDirectory()
  const code = `
    import { runCommand } from ${JSON.stringify(new URL('run-command.ts', import.meta.url).href)}
    const options = { cwd: ${JSON.stringify(temp.path)}, environment: { PATH: process.env.PATH }, limits: {}, isolation: [], graceMs: 1 }
    const rest = { timeoutMs: 60_000, maxOutputBytes: 1, signal: new AbortController().signal, onOutput: () => {} }
    void runCommand({ program: '/bin/sh', args: ['-c', 'sleep 60 & echo $! > pid; wait'], ...options, ...rest })
    process.on('message', () => process.exit(0))
  `
  const args = ['--conditions=@parley/source', '--input-type=module', '-e', code]
  const parent = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const pid = await fileOf(temp, 'pid')
  expect(isAlive(pid)).toBe(true)
  parent.send('end')
  await once(parent, 'exit')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

describe('limits', () => {
  it('the system enforces the limits of processor time and file size', async () => {
    const policy = { ...anything, limits: { cpuSeconds: 1, fileBytes: 1_024 } }
    await using scene = await openShell({ policy })
    expect(await scene.facts(sh('while :; do :; done'))).toMatchObject({ timedOut: false, exitCode: null })
    await scene.facts(sh('head -c 100000 /dev/zero > big'))
    expect(readFileSync(join(scene.temp.path, 'big')).length).toBe(1_024)
  })

  it('the system enforces the limit of memory', async () => {
    await using scene = await openShell({ policy: { ...anything, limits: { memoryBytes: 50_000_000 } } })
    const result = await scene.facts(sh('x=$(head -c 200000000 /dev/zero | tr "\\0" x); echo ${#x}'), {
      timeoutMs: 60_000,
    })
    expect(result.exitCode).not.toBe(0)
    expect(result.timedOut).toBe(false)
  })

  it('a command with fileBytes 0 cannot write to a file', async () => {
    await using scene = await openShell({ policy: { ...anything, limits: { fileBytes: 0 } } })
    await scene.facts(sh('echo x > made'))
    expect(readFileSync(join(scene.temp.path, 'made'), 'utf8')).toBe('')
  })
})

it('a policy with network none runs a command without a network if the system supports it', async context => {
  if ((await findNetworkIsolation()).length === 0) {
    return notTried(context, 'commands without a network', 'the system does not permit `unshare --net`')
  }
  await using server = await openWebServer((_, response) => response.end('reached'))
  const script = `const s = require('net').connect(${server.port}, '127.0.0.1'); s.on('connect', () => (console.log('connected'), s.destroy())); s.on('error', e => console.log(e.code))`
  await using open = await openShell()
  expect((await open.facts([process.execPath, '-e', script])).stdout).toBe('connected\n')
  await using closed = await openShell({ policy: { ...anything, network: 'none' } })
  expect((await closed.facts([process.execPath, '-e', script])).stdout).toMatch(
    /ENETUNREACH|EADDRNOTAVAIL|ECONNREFUSED|EHOSTUNREACH/,
  )
})
