import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTempDirectory, type TempDirectory } from '../../__fixtures__/open-temp-directory.ts'
import { notTriedInSandbox } from '../__fixtures__/not-tried-in-sandbox.ts'
import { anything, openShell, sh } from '../__fixtures__/open-shell.ts'
import type { ShellPolicy } from '../shell-policy.ts'
import { findSandbox, type Sandbox } from './find-sandbox.ts'
import { sandboxCommand } from './sandbox-command.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'

/** Policies that allow every command, so that only the sandbox protects. */
const reading: ShellPolicy = { ...anything, files: 'read', network: 'none' }
const writing: ShellPolicy = { ...anything, files: 'write' }

let sandbox: Sandbox | undefined
let outside: TempDirectory
beforeAll(async () => {
  sandbox = await findSandbox()
  outside = await openTempDirectory()
  await outside.write('secret.txt', 'S3CRET')
})
afterAll(() => outside[Symbol.asyncDispose]())

it('findSandbox finds nothing if the program is missing or does not work', async () => {
  expect(await findSandbox([join(outside.path, 'bwrap'), '/bin/false'])).toBeUndefined()
})

it('a command names its sandbox in its result, and with require it runs only in a sandbox', async () => {
  await using scene = await openShell({ sandbox: 'require' })
  const { ok, text, outcome } = await scene.run(['true'])
  if (sandbox === undefined) {
    expect(ok).toBe(false)
    expect(text).toContain('This machine has no sandbox')
  } else expect(outcome).toMatchObject({ structured: { sandbox: 'bubblewrap' } })
  await using bare = await openShell({ sandbox: 'off' })
  expect((await bare.run(['true'])).outcome).toMatchObject({ structured: { sandbox: 'none' } })
})

it('the description of the shell tool says whether a sandbox is used', async () => {
  await using scene = await openShell({ sandbox: 'auto' })
  expect(scene.tool.description).toContain('If this machine has a sandbox')
  await using bare = await openShell({ sandbox: 'off' })
  expect(bare.tool.description).not.toContain('sandbox')
  await expect(openShell({ sandbox: 'on' as 'off' })).rejects.toThrow("sandbox: is 'on'; must be auto, require or off")
})

describe('a command in the sandbox for reading', () => {
  const open = () => openShell({ policy: reading, sandbox: 'auto' })

  it('a sandboxed reading command sees the workspace but no file outside and no denied file', async context => {
    if (sandbox === undefined) return notTriedInSandbox(context)
    await using scene = await open()
    await scene.temp.write('a.txt', 'plain')
    await scene.temp.write('.env', 'S3CRET')
    await scene.temp.write('sub/.ssh/id_rsa', 'S3CRET')
    await scene.temp.link('out', join(outside.path, 'secret.txt'))
    const script = `cat a.txt .env sub/.ssh/id_rsa out ${outside.path}/secret.txt ../*/secret.txt /etc/shadow /root/.bashrc; ls /home /root /tmp /run`
    const { stdout, stderr } = await scene.facts(sh(script))
    expect(stdout).toContain('plain')
    expect(stdout + stderr).not.toContain('S3CRET')
  })

  it('a sandboxed reading command cannot write anywhere', async context => {
    if (sandbox === undefined) return notTriedInSandbox(context)
    await using scene = await open()
    await scene.facts(
      sh(`echo x > made; echo x > ${outside.path}/made; mkdir made2; rm -rf ${outside.path}; echo x > /usr/made`),
    )
    expect(existsSync(join(scene.temp.path, 'made'))).toBe(false)
    expect(existsSync(join(scene.temp.path, 'made2'))).toBe(false)
    expect(existsSync(join(outside.path, 'made'))).toBe(false)
    expect(existsSync(join(outside.path, 'secret.txt'))).toBe(true)
    expect(existsSync('/usr/made')).toBe(false)
  })

  it('a sandboxed command sees no other process and cannot undo the mounts', async context => {
    if (sandbox === undefined) return notTriedInSandbox(context)
    await using scene = await open()
    const { stdout } = await scene.facts(
      sh(
        `cat /proc/${process.pid}/environ /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c VITEST; umount /proc; mount -o remount,rw / && echo undone; ls /proc | grep -c '^[0-9]'`,
      ),
    )
    const [environments, processes] = stdout.trim().split('\n')
    expect(environments).toBe('0')
    expect(Number(processes)).toBeLessThan(10)
  })
})

describe('a command in the sandbox for writing', () => {
  it('a sandboxed writing command changes the workspace but nothing outside', async context => {
    if (sandbox === undefined) return notTriedInSandbox(context)
    await using scene = await openShell({ policy: writing, sandbox: 'auto' })
    const { stdout } = await scene.facts(
      sh(`echo x > made; echo x > /tmp/made-in-tmp; echo y > ${outside.path}/made; rm -rf ${outside.path}/*; cat made`),
    )
    expect(stdout).toBe('x\n')
    expect(existsSync(join(scene.temp.path, 'made'))).toBe(true)
    expect(existsSync('/tmp/made-in-tmp')).toBe(false)
    expect(existsSync(join(outside.path, 'made'))).toBe(false)
    expect(existsSync(join(outside.path, 'secret.txt'))).toBe(true)
  })

  it('a sandboxed writing command sees no secrets of the home directory, unless it is a transfer by git', async () => {
    await using home = await openTempDirectory()
    await home.write('.ssh/id_rsa', 'S3CRET')
    await home.write('.netrc', 'S3CRET')
    await home.write('.config/gh/hosts.yml', 'S3CRET')
    await home.write('notes.txt', 'plain')
    const workspace = createWorkspace({ roots: [outside.path] })
    const command = { program: '/bin/true', realProgram: '/bin/true', args: [] }
    const bubblewrap = { name: 'bubblewrap', program: 'bwrap' } as const
    const argv = await sandboxCommand({ sandbox: bubblewrap, policy: writing, workspace, command, home: home.path })
    for (const hidden of ['.ssh', '.netrc', '.config/gh']) expect(argv).toContain(join(home.path, hidden))
    expect(argv).not.toContain(join(home.path, 'notes.txt'))
    const transfer = { ...command, credentials: true }
    const all = await sandboxCommand({
      sandbox: bubblewrap,
      policy: writing,
      workspace,
      command: transfer,
      home: home.path,
    })
    expect(all).not.toContain(join(home.path, '.ssh'))
  })
})

describe('the end of a sandboxed command', () => {
  it('a sandboxed command has time to end by itself, and its processes end with it', async context => {
    if (sandbox === undefined) return notTriedInSandbox(context)
    await using scene = await openShell({ policy: writing, sandbox: 'auto', graceMs: 5_000 })
    const { stdout, timedOut } = await scene.facts(
      sh('trap "echo tidy; exit 0" TERM; echo begun; while :; do sleep 0.02; done'),
      { timeoutMs: 4_000 },
    )
    expect(stdout).toBe('begun\ntidy\n')
    expect(timedOut).toBe(true)
  })

  it('a sandboxed command reports the exit code or the signal that ended it', async context => {
    if (sandbox === undefined) return notTriedInSandbox(context)
    await using scene = await openShell({ policy: writing, sandbox: 'auto' })
    expect(await scene.facts(sh('exit 3'))).toMatchObject({ exitCode: 3, signal: null })
    expect(await scene.facts(sh('kill -SEGV $$'))).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
  })
})
