import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { anything, openShell, sh } from './__fixtures__/open-shell.ts'
import { createShellTool, type ShellToolOptions } from './create-shell-tool.ts'

describe('shell', () => {
  it('runs a program with its arguments as they are, and tells how it ended', async () => {
    await using scene = await openShell()
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
    await using scene = await openShell()
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
    await using scene = await openShell()
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
    await using scene = await openShell()
    await scene.temp.write('plain.txt', 'x')
    const { ok, text } = await scene.run(argv)
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })

  it('runs only in the workspace', async () => {
    await using scene = await openShell()
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
  await using scene = await openShell({ policy: 'no-network', confirm: 'never' })
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
