import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { openTempDirectory, type TempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { openWebServer } from '../__fixtures__/open-web-server.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { coderPolicy } from './coder-policy.ts'
import { createOutputCollector } from './collect-output.ts'
import { createShellTool, type ShellToolOptions } from './create-shell-tool.ts'
import { findNetworkIsolation } from './network-isolation.ts'
import type { ShellPolicy } from './shell-policy.ts'

/** Anything may run, so that running itself can be tried. */
const anything: ShellPolicy = {
  ...coderPolicy,
  name: 'anything',
  limits: {},
  check: argv => ({ ok: true, argv, paths: [], systemPaths: [], sparesRoots: false }),
}

interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly truncated: boolean
}

async function openScene(options: Partial<ShellToolOptions> = {}) {
  const temp = await openTempDirectory()
  const workspace = createWorkspace({ roots: [temp.path] })
  const tool = createShellTool({ workspace, policy: anything, ...options })
  const run = (argv: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
    callTool([tool], 'shell', { argv, ...more })
  const facts = async (argv: readonly string[], more: Readonly<Record<string, unknown>> = {}): Promise<Outcome> => {
    const { outcome } = await run(argv, more)
    return (outcome.type === 'ok'
      ? outcome.structured
      : outcome.type === 'error'
        ? outcome.metadata
        : undefined) as unknown as Outcome
  }
  return { temp, tool, run, facts, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() }
}

const sh = (script: string): readonly string[] => ['sh', '-c', script]

/** Waits for what a command writes when it is under way. */
async function fileOf(temp: TempDirectory, name: string): Promise<string> {
  const path = join(temp.path, name)
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await delay(5)
  return readFileSync(path, 'utf8').trim()
}

function isAlive(pid: string): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  // What has ended but was not yet collected by its parent is gone for all purposes.
  return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

describe('shell', () => {
  it('runs a program with its arguments as they are, and tells how it ended', async () => {
    await using scene = await openScene()
    const { run, facts, temp } = scene
    const { ok, text } = await run(['printf', '%s|', '$HOME', '*', 'a b', ';', '`x`', '"', '\\'])
    expect(ok).toBe(true)
    expect(text).toBe('$HOME|*|a b|;|`x`|"|\\|\n[exit code 0]')
    expect(await facts(sh('echo out; echo err >&2; exit 3'))).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
    })
    expect((await run(sh('echo err >&2; exit 3'))).text).toBe('[stderr]\nerr\n[exit code 3]')
    expect(await facts(sh('kill -SEGV $$'))).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
    await temp.write('src/x', '')
    expect((await facts(['pwd'], { cwd: 'src' })).stdout).toBe(`${temp.path}/src\n`)
  })

  it('takes any arguments literally', async () => {
    await using scene = await openScene()
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          // What a shell would read as a sign is refused before it runs, with words of its own.
          fc.string().filter(text => !/\p{Cc}|^(?:[|&]{1,2}|<<?|[12&]?>>?(?:&1)?)$/u.test(text)),
          { maxLength: 5 },
        ),
        async args => {
          const { stdout } = await scene.facts(['sh', '-c', 'for a; do printf "%s\\n" "$a"; done', 'sh', ...args])
          expect(stdout).toBe(args.map(argument => `${argument}\n`).join(''))
        },
      ),
      { numRuns: 15 },
    )
  })

  it('has its input closed', async () => {
    await using scene = await openScene()
    expect(await scene.facts(['cat'])).toMatchObject({ stdout: '', exitCode: 0 })
  })

  it.each([
    [[], 'argv is empty'],
    [['ls', 'a\0b'], 'NUL'],
    [['nosuchprogram'], "no program 'nosuchprogram'"],
    [Array.from({ length: 5_000 }, () => 'x'), '4096'],
    [['echo', 'x'.repeat(200_000)], 'Put the data into a file'],
    [['echo', '\uD800'], 'no valid Unicode'],
    [['./plain.txt'], 'no program'],
    [['echo', 'x', '>', 'file'], "argv has '>', but no shell reads it"],
    [['ls', '|', 'wc'], "argv has '|', but no shell reads it"],
  ])('says what is wrong with the arguments (%#)', async (argv, words) => {
    await using scene = await openScene()
    await scene.temp.write('plain.txt', 'x')
    const { ok, text } = await scene.run(argv)
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })

  it('runs only in the workspace', async () => {
    await using scene = await openScene()
    await scene.temp.link('out', '/tmp')
    for (const cwd of ['/', '..', 'out', 'gone', '.ssh']) expect((await scene.run(['ls'], { cwd })).ok).toBe(false)
    await scene.temp.write('a.txt', '')
    expect((await scene.run(['ls'], { cwd: 'a.txt' })).text).toContain('not a directory')
  })

  it('refuses with the reason as data, and a read-only policy by default', async () => {
    const temp = await openTempDirectory()
    const tool = createShellTool({ workspace: createWorkspace({ roots: [temp.path] }) })
    const { outcome, text } = await callTool([tool], 'shell', { argv: ['rm', 'x'] })
    expect(outcome).toMatchObject({ type: 'error', error: { code: 'tool-denied', tool: 'shell' } })
    expect(text).toContain("policy 'read-only'")
    await temp[Symbol.asyncDispose]()
  })
})

describe('the environment of a command', () => {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/home/me',
    LC_ALL: 'C',
    LC_SECRET: 'hide-1',
    OPENAI_API_KEY: 'hide-2',
    AWS_SECRET_ACCESS_KEY: 'hide-3',
    GITHUB_TOKEN: 'hide-4',
    DATABASE_URL: 'hide-5',
    NODE_OPTIONS: '--hide-6',
    LD_PRELOAD: '',
    MINE: 'mine',
  }

  it('has what is passed and nothing else, as the system tells of the process', async () => {
    await using scene = await openScene({ env, passEnv: ['PATH', 'HOME', 'LC_*', 'MINE'], setEnv: { ADDED: 'yes' } })
    const { stdout } = await scene.facts(['cat', '/proc/self/environ'])
    const entries = (await scene.facts(['env'])).stdout
    expect(stdout).not.toMatch(/hide-/)
    expect(entries).not.toMatch(/hide-/)
    for (const line of ['HOME=/home/me', 'LC_ALL=C', 'MINE=mine', 'ADDED=yes'])
      expect(entries.split('\n')).toContain(line)
    const names = entries
      .split('\n')
      .filter(Boolean)
      .map(line => line.split('=')[0])
    const known = ['PATH', 'HOME', 'LC_ALL', 'MINE', 'ADDED', 'PWD', 'OLDPWD', 'SHLVL', '_', 'PARLEY_COMMAND']
    const policy = Object.keys(anything.environment)
    expect(names.filter(name => ![...known, ...policy].includes(name ?? ''))).toEqual([])
  })

  it('has no secret in it by default, seen from outside while it runs', async () => {
    await using scene = await openScene({ env })
    const stop = new AbortController()
    const running = scene.run(sh('echo $$ > pid; exec sleep 20'), { signal: stop.signal })
    const environ = readFileSync(`/proc/${await fileOf(scene.temp, 'pid')}/environ`, 'latin1')
    expect(environ).toContain('HOME=/home/me')
    expect(environ).not.toMatch(/hide-|MINE|LD_PRELOAD|NODE_OPTIONS/)
    stop.abort(new Error('seen'))
    await expect(running).rejects.toThrow('seen')
  })
})

describe('a command that does not end', () => {
  it('is stopped at its time, with what it said so far', async () => {
    await using scene = await openScene({ graceMs: 100 })
    const { ok, text, outcome } = await scene.run(sh('echo begun; sleep 30'), { timeoutMs: 1_000 })
    expect(ok).toBe(false)
    expect(text).toBe(
      'begun\n[stopped after 1000 ms, with all it had started]\nAsk for more time with timeoutMs, or do less at once.',
    )
    expect(outcome).toMatchObject({ error: { code: 'tool-timeout', ms: 1_000 }, metadata: { timedOut: true } })
  })

  it.each([
    ['children', 'sleep 60 & echo $! > pids; sleep 60'],
    ['grandchildren', 'sh -c "sleep 60 & echo \\$! > pids; wait" & wait'],
    [
      'what ignores the asking',
      'trap "" TERM; sh -c "trap \\"\\" TERM; echo \\$\\$ > pids; while :; do sleep 0.05; done" & wait',
    ],
    ['what has a session of its own', 'setsid sh -c "echo \\$\\$ > pids; sleep 60" & wait'],
    ['what was orphaned into one', 'setsid sh -c "echo \\$\\$ > pids; exec sleep 60" & sleep 60'],
    ['what holds the output', 'sleep 60 & echo $! > pids; exec sleep 60'],
  ])('takes along %s', async (_, script) => {
    await using scene = await openScene({ graceMs: 150 })
    const stop = new AbortController()
    const running = scene.run(sh(script), { signal: stop.signal }).catch((error: unknown) => error)
    const pid = await fileOf(scene.temp, 'pids')
    expect(isAlive(pid)).toBe(true)
    stop.abort(new Error('enough'))
    expect(await running).toEqual(new Error('enough'))
    expect(isAlive(pid)).toBe(false)
  })

  it('takes them along at its timeout too', async () => {
    await using scene = await openScene({ graceMs: 100 })
    await scene.run(sh('setsid sleep 60 & sleep 60 & echo $! > pids; wait'), { timeoutMs: 300 })
    expect(isAlive(await fileOf(scene.temp, 'pids'))).toBe(false)
  })

  it('leaves nothing behind when it ends by itself', async () => {
    await using scene = await openScene()
    expect(await scene.facts(sh('sleep 60 & echo $! > pids; setsid sleep 60 & echo done'))).toMatchObject({
      stdout: 'done\n',
      exitCode: 0,
    })
    expect(isAlive(await fileOf(scene.temp, 'pids'))).toBe(false)
  })

  it('has time to end by itself when it is asked to', async () => {
    await using scene = await openScene({ graceMs: 5_000 })
    const { stdout } = await scene.facts(sh('trap "echo tidy; exit 0" TERM; while :; do sleep 0.02; done'), {
      timeoutMs: 1_000,
    })
    expect(stdout).toBe('tidy\n')
  })

  it('is not started for a call that was stopped', async () => {
    await using scene = await openScene()
    const signal = AbortSignal.abort(new Error('stop'))
    await expect(scene.run(sh('echo > made'), { signal })).rejects.toThrow('stop')
    expect(existsSync(join(scene.temp.path, 'made'))).toBe(false)
  })

  it('gets no more time than allowed', async () => {
    await using scene = await openScene({ graceMs: 50, timeoutMs: 100, maxTimeoutMs: 250 })
    expect((await scene.run(['sleep', '30'], { timeoutMs: 60_000 })).text).toContain('stopped after 250 ms')
    expect(scene.tool.timeoutMs).toBeGreaterThan(250)
  })
})

it('takes a running command along when the process ends', async () => {
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

describe('output', () => {
  it('is cut in its middle, and says by how much', async () => {
    await using scene = await openScene({ maxOutputBytes: 100 })
    const result = await scene.facts(sh('echo first; head -c 1000000 /dev/zero | tr "\\0" x; echo; echo last'))
    expect(result.truncated).toBe(true)
    expect(result.stdout).toMatch(/^first\nx+\n\[… 999\d{3} bytes left out …\]\nx+\nlast\n$/)
  })

  it('is without sequences for terminals', async () => {
    await using scene = await openScene()
    const { stdout } = await scene.facts(['printf', '\\033[31mred\\033[0m \\033]0;title\\007x\\000\\r\\n\\ttab'])
    expect(stdout).toBe('red x\n\ttab')
  })

  it('is told while it comes, up to the same size', async () => {
    const temp = await openTempDirectory()
    const tool = createShellTool({
      workspace: createWorkspace({ roots: [temp.path] }),
      policy: anything,
      maxOutputBytes: 10,
    })
    const updates: unknown[] = []
    const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [] }
    const context = { signal: new AbortController().signal, callId: 'c', idempotencyKey: 'k', run }
    await tool.execute(
      { argv: sh('echo hello; echo err >&2; yes | head -c 100000') },
      { ...context, progress: update => updates.push(update) },
    )
    expect(updates).toContainEqual({ stream: 'stderr', text: 'err\n' })
    const text = updates.flatMap(update =>
      (update as Outcome & { stream: string }).stream === 'stdout' ? [(update as { text: string }).text] : [],
    )
    expect(text.join('').slice(0, 6)).toBe('hello\n')
    expect(text.join('').length).toBe(10)
    await temp[Symbol.asyncDispose]()
  })

  it('of any bytes, cut anywhere, is text without broken characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (text, limit, step) => {
          const bytes = Buffer.from(text.replaceAll(/[\p{Cc}\uFFFD\p{Cs}]/gu, 'a'))
          const collector = createOutputCollector(limit)
          for (let at = 0; at < bytes.length; at += step) collector.push(bytes.subarray(at, at + step))
          const { text: kept, omittedBytes } = collector.end()
          expect(kept).not.toContain('\uFFFD')
          expect(kept.isWellFormed()).toBe(true)
          if (bytes.length <= limit) expect(kept).toBe(bytes.toString())
          else expect(omittedBytes).toBeGreaterThan(0)
        },
      ),
    )
    const collector = createOutputCollector(10)
    collector.push(Buffer.from([0xff, 0xfe, 0x80, 0x80, 0x80, 0x80, 0xf0, 0x9f, 0x80, 0xc3, 0x28, 0xa0, 0xa1]))
    expect(collector.end().text.isWellFormed()).toBe(true)
  })
})

describe('limits', () => {
  it('of processor time and file size are kept by the system', async () => {
    const policy = { ...anything, limits: { cpuSeconds: 1, fileBytes: 1_024 } }
    await using scene = await openScene({ policy })
    expect(await scene.facts(sh('while :; do :; done'))).toMatchObject({ timedOut: false, exitCode: null })
    await scene.facts(sh('head -c 100000 /dev/zero > big'))
    expect(readFileSync(join(scene.temp.path, 'big')).length).toBe(1_024)
  })

  it('of memory too', async () => {
    await using scene = await openScene({ policy: { ...anything, limits: { memoryBytes: 50_000_000 } } })
    const result = await scene.facts(sh('x=$(head -c 200000000 /dev/zero | tr "\\0" x); echo ${#x}'), {
      timeoutMs: 10_000,
    })
    expect(result.exitCode).not.toBe(0)
    expect(result.timedOut).toBe(false)
  })

  it('let a reading command write nothing', async () => {
    await using scene = await openScene({ policy: { ...anything, limits: { fileBytes: 0 } } })
    await scene.facts(sh('echo x > made'))
    expect(readFileSync(join(scene.temp.path, 'made'), 'utf8')).toBe('')
  })
})

it('runs a command without a network where the system can', async context => {
  if ((await findNetworkIsolation()).length === 0) return context.skip()
  await using server = await openWebServer((_, response) => response.end('reached'))
  const script = `const s = require('net').connect(${server.port}, '127.0.0.1'); s.on('connect', () => (console.log('connected'), s.destroy())); s.on('error', e => console.log(e.code))`
  await using open = await openScene()
  expect((await open.facts([process.execPath, '-e', script])).stdout).toBe('connected\n')
  await using closed = await openScene({ policy: { ...anything, network: 'none' } })
  expect((await closed.facts([process.execPath, '-e', script])).stdout).toMatch(
    /ENETUNREACH|EADDRNOTAVAIL|ECONNREFUSED|EHOSTUNREACH/,
  )
})

describe('asking', () => {
  const workspace = createWorkspace({ roots: ['.'] })
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [] }
  const ask = (options: Partial<ShellToolOptions>, argv: readonly string[]) => {
    const { permission } = createShellTool({ workspace, ...options })
    return typeof permission === 'function' ? permission({ argv }, run) : permission
  }

  it('comes before every command, unless told otherwise', () => {
    expect(ask({}, ['ls', '-l'])).toEqual({ effect: 'ask', prompt: 'Run this command? ["ls","-l"]' })
    expect(ask({ confirm: 'never' }, ['ls'])).toBe('allow')
    const confirm = (argv: readonly string[]): boolean => argv[0] === 'cat'
    expect(ask({ confirm }, ['ls'])).toBe('allow')
    expect(ask({ confirm }, ['cat', 'x'])).toMatchObject({ effect: 'ask' })
  })

  it('bothers nobody with what is refused anyway', () => {
    expect(ask({}, ['rm', 'x'])).toBe('allow')
    expect(ask({}, [])).toBe('allow')
  })
})

it('refuses to be made of options that make no sense', () => {
  const workspace = createWorkspace({ roots: ['.'] })
  expect(() => createShellTool({ workspace, policy: 'root' as 'coder' })).toThrow("'root' is not one of read-only")
  expect(() => createShellTool({ workspace, timeoutMs: 0 })).toThrow('timeoutMs')
  expect(() => createShellTool({ workspace, maxOutputBytes: Number.NaN })).toThrow('maxOutputBytes')
})

it('runs the real git with its policy, which runs nothing that a repository names', async () => {
  await using scene = await openScene({ policy: 'no-network', confirm: 'never' })
  const { temp } = scene
  const git = createShellTool({ workspace: createWorkspace({ roots: [temp.path] }), policy: anything })
  const prepare = async (script: string) => callTool([git], 'shell', { argv: sh(script) })
  await chmod(await temp.write('evil.sh', `#!/bin/sh\ntouch ${temp.path}/pwned\n`), 0o755)
  await prepare(
    'git init -q . && git add evil.sh && git -c user.name=a -c user.email=a@b commit -qm first && echo more >> evil.sh',
  )
  for (const key of ['core.fsmonitor', 'core.pager', 'diff.external', 'gpg.program', 'core.alternateRefsCommand']) {
    await prepare(`git config ${key} ${temp.path}/evil.sh`)
  }
  await prepare('git config log.showSignature true; git config core.hooksPath .')
  expect((await scene.facts(['git', 'status', '--short'])).stdout).toContain('M evil.sh')
  expect((await scene.facts(['git', 'diff'])).stdout).toContain('+more')
  expect((await scene.facts(['git', 'log', '--oneline', '-p'])).stdout).toContain('first')
  expect((await scene.facts(['git', 'show', 'HEAD'])).stdout).toContain('first')
  expect(existsSync(join(temp.path, 'pwned'))).toBe(false)
})
