import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { anything, openShell, sh } from './__fixtures__/open-shell.ts'
import { readOnlyPolicy } from './read-only-policy.ts'
import { createShellTool, type ShellToolOptions } from './create-shell-tool.ts'

describe('shell', () => {
  it('shell runs a program with literal arguments and reports how it ended', async () => {
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

  it('shell passes any arguments literally', async () => {
    await using scene = await openShell()
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          // Arguments that are shell operators are refused before the program runs.
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

  it('shell closes the program’s standard input', async () => {
    await using scene = await openShell()
    expect(await scene.facts(['cat'])).toMatchObject({ stdout: '', exitCode: 0 })
  })

  it.each([
    [[], 'argv is empty'],
    [['ls', 'a\0b'], 'NUL'],
    [['nosuchprogram'], "no program 'nosuchprogram'"],
    [Array.from({ length: 5_000 }, () => 'x'), '4096'],
    [['echo', 'x'.repeat(200_000)], 'Put the data into a file'],
    [['echo', '\uD800'], 'not valid Unicode'],
    [['./plain.txt'], 'no program'],
    [['echo', 'x', '>', 'file'], "argv has '>', but no shell reads it"],
    [['ls', '|', 'wc'], "argv has '|', but no shell reads it"],
  ])('shell rejects invalid arguments and says what is wrong with them (case %#)', async (argv, words) => {
    await using scene = await openShell()
    await scene.temp.write('plain.txt', 'x')
    const { ok, text } = await scene.run(argv)
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })

  it('shell refuses a working directory outside the workspace', async () => {
    await using scene = await openShell()
    await scene.temp.link('out', '/tmp')
    for (const cwd of ['/', '..', 'out', 'gone', '.ssh']) expect((await scene.run(['ls'], { cwd })).ok).toBe(false)
    await scene.temp.write('a.txt', '')
    expect((await scene.run(['ls'], { cwd: 'a.txt' })).text).toContain('not a directory')
  })

  it('shell uses the read-only policy by default and returns a refusal as tool-denied', async () => {
    const temp = await openTempDirectory()
    const tool = createShellTool({ workspace: createWorkspace({ roots: [temp.path] }) })
    const { outcome, text } = await callTool([tool], 'shell', { argv: ['rm', 'x'] })
    expect(outcome).toMatchObject({ type: 'error', error: { code: 'tool-denied', tool: 'shell' } })
    expect(text).toContain("policy 'read-only'")
    await temp[Symbol.asyncDispose]()
  })
})

describe('approval', () => {
  const workspace = createWorkspace({ roots: ['.'] })
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [] }
  const ask = (options: Partial<ShellToolOptions>, argv: readonly string[]) => {
    const { permission } = createShellTool({ workspace, ...options })
    return typeof permission === 'function' ? permission({ argv }, run) : permission
  }

  it('shell asks for approval before every command unless confirm says otherwise', () => {
    expect(ask({}, ['ls', '-l'])).toEqual({ effect: 'ask', prompt: 'Run this command? ["ls","-l"]' })
    expect(ask({ confirm: 'never' }, ['ls'])).toBe('allow')
    const confirm = (argv: readonly string[]): boolean => argv[0] === 'cat'
    expect(ask({ confirm }, ['ls'])).toBe('allow')
    expect(ask({ confirm }, ['cat', 'x'])).toMatchObject({ effect: 'ask' })
  })

  it('shell does not ask for approval of a command that the policy refuses', () => {
    expect(ask({}, ['rm', 'x'])).toBe('allow')
    expect(ask({}, [])).toBe('allow')
  })
})

it('createShellTool rejects invalid options', () => {
  const workspace = createWorkspace({ roots: ['.'] })
  expect(() => createShellTool({ workspace, policy: 'root' as 'coder' })).toThrow("'root' is unknown; known: read-only")
  expect(() => createShellTool({ workspace, timeoutMs: 0 })).toThrow('timeoutMs')
  expect(() => createShellTool({ workspace, maxOutputBytes: Number.NaN })).toThrow('maxOutputBytes')
})

it('the no-network policy runs git without the programs that a repository’s configuration names', async () => {
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

it('a command of git reads the configuration as it is, also if it has changed since the last command', async () => {
  await using scene = await openShell({ policy: readOnlyPolicy })
  const remote = (url: string) => scene.temp.write('.git/config', `[remote "origin"]\n\turl = ${url}\n`)
  execFileSync('git', ['init', '-q'], { cwd: scene.temp.path })
  for (const url of ['https://one.test/a', 'https://two.test/a', 'https://one.test/a']) {
    await remote(url)
    expect((await scene.facts(['git', 'remote', '-v'])).stdout).toContain(url)
  }
})
