import { chmod, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ParleyError } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createFileTools } from '../files/create-file-tools.ts'
import { anything } from '../shell/__fixtures__/open-shell.ts'
import { createShellTool } from '../shell/create-shell-tool.ts'
import { openHostileWorkspace, refusalOf } from './__fixtures__/open-hostile-workspace.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Workspace } from './workspace.ts'

/** A workspace with two projects, and one project outside it that runs may be given. */
async function openProjects() {
  const [root, further, foreign] = [await openTempDirectory(), await openTempDirectory(), await openTempDirectory()]
  await root.write('one/a.txt', 'needle one')
  await root.write('two/b.txt', 'needle two')
  await root.write('one/.git/config', 'token')
  await root.link('one/way-out', join(root.path, 'two'))
  await further.write('c.txt', 'needle three')
  await foreign.write('d.txt', 'needle four')
  const workspace = createWorkspace({ roots: [root.path], runRoots: [further.path] })
  const tools = [
    ...createFileTools({ workspace, write: true }),
    createShellTool({ workspace, policy: anything, confirm: 'never' }),
  ]
  const callIn = (directory: string | undefined, name: string, input: Readonly<Record<string, unknown>>) =>
    callTool(tools, name, { ...input, workspace: directory })
  return {
    root,
    further,
    foreign,
    workspace,
    callIn,
    async [Symbol.asyncDispose]() {
      for (const directory of [root, further, foreign]) await directory[Symbol.asyncDispose]()
    },
  }
}

/** Returns why a run may not have a directory. */
async function faultOf(workspace: Workspace, directory: string): Promise<string> {
  try {
    await workspace.forRun({ workspace: directory })
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid')) return error.info.detail
    throw error
  }
  return 'let through'
}

describe('a workspace for a run', () => {
  it('forRun returns the whole workspace for a run without its own directory', async () => {
    await using scene = await openProjects()
    expect(await scene.workspace.forRun({})).toBe(scene.workspace)
  })

  it('forRun makes the run’s directory the only root, for every spelling of its path', async () => {
    await using scene = await openProjects()
    const { root, further, workspace } = scene
    const alias = join(further.path, 'alias')
    await symlink(root.path, alias)
    const aliased = createWorkspace({ roots: [alias] })
    for (const part of [
      await workspace.forRun({ workspace: 'one' }),
      await workspace.forRun({ workspace: join(root.path, 'one/.') }),
      await aliased.forRun({ workspace: join(alias, 'one') }),
    ]) {
      expect(part.roots).toEqual([join(root.path, 'one')])
      expect(await part.resolve('a.txt')).toMatchObject({ shown: 'a.txt' })
      expect(await part.forRun({ workspace: 'one' })).toMatchObject({ roots: part.roots })
    }
    const part = await aliased.forRun({ workspace: 'one' })
    expect(await part.resolve(join(alias, 'one/a.txt'))).toMatchObject({ shown: 'a.txt' })
  })

  it('a run’s workspace refuses paths outside its directory, also through a link, and names denied in the whole workspace', async () => {
    await using scene = await openProjects()
    const { root, workspace } = scene
    const part = await workspace.forRun({ workspace: 'one' })
    for (const path of ['../two/b.txt', join(root.path, 'two/b.txt'), 'way-out/b.txt', '..']) {
      expect((await refusalOf(part.resolve(path))).reason).toBe('outside')
    }
    const inGit = await workspace.forRun({ workspace: 'one/.git' })
    expect((await refusalOf(inGit.resolve('config'))).reason).toBe('sensitive')
    expect((await refusalOf(inGit.write('config', 'x'))).reason).toBe('sensitive')
  })

  it('a run’s directory may lie outside the roots only within runRoots, which other runs cannot use', async () => {
    await using scene = await openProjects()
    const { further, foreign, workspace } = scene
    const part = await workspace.forRun({ workspace: further.path })
    expect(await part.resolve('c.txt')).toMatchObject({ path: join(further.path, 'c.txt') })
    expect((await refusalOf(workspace.resolve(join(further.path, 'c.txt')))).reason).toBe('outside')
    expect(await faultOf(workspace, foreign.path)).toContain('outside of the directories that the tools may use')
    expect(await faultOf(workspace, join(foreign.path, 'not-there'))).toContain(
      'outside of the directories that the tools may use',
    )
    expect(await faultOf(workspace, 'one/a.txt')).toContain('is not a directory')
    expect(await faultOf(workspace, 'gone')).toContain('does not exist')
    expect(() => createWorkspace({ roots: [further.path], runRoots: ['/not/there'] })).toThrow(/runRoots\.0/)
  })

  it('a run’s workspace never allows a path that the whole workspace refuses', async () => {
    await using scene = await openHostileWorkspace()
    const { workspace, inside } = scene
    const places = [
      'src',
      'src/deep',
      '.git',
      'good-dir',
      'link-dir',
      'link-parent',
      'chain-1',
      'loop-a',
      'src/up-link',
    ]
    const steps = ['..', 'a.ts', 'deep', 'er', 'b.ts', 'up-link', 'link-dir', 'secret.txt', 'config', '.env', 'HEAD']
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.array(fc.constantFrom(...steps)), async (directory, path) => {
        const part = await workspace.forRun({ workspace: directory }).catch(() => undefined)
        const found = await part?.resolve(path.join('/') || '.').catch(() => undefined)
        if (part === undefined || found === undefined) return
        expect(await refusalOf(workspace.resolve(found.path))).toMatchObject({ reason: 'none' })
        expect(found.path.startsWith(`${inside.path}/`)).toBe(true)
      }),
    )
  })

  it('the workspace of a run and the whole workspace never write one file at the same time', async () => {
    await using scene = await openProjects()
    const { root, workspace } = scene
    await root.write('one/count', '0')
    const part = await workspace.forRun({ workspace: 'one' })
    const add = (content: Buffer): string => String(Number(content.toString()) + 1)
    const changes = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? part.update('count', add) : workspace.update('one/count', add),
    )
    await Promise.all(changes)
    expect(await readFile(join(root.path, 'one/count'), 'utf8')).toBe('20')
  })
})

describe('every tool of files and commands', () => {
  it('the file tools and the shell tool work in the run’s directory', async () => {
    await using scene = await openProjects()
    const { root, callIn } = scene
    expect((await callIn('one', 'read', { path: 'a.txt' })).text).toContain('needle one')
    expect((await callIn('two', 'ls', {})).text).toContain('b.txt')
    expect((await callIn('two', 'find', { pattern: '*.txt' })).text).toBe('b.txt')
    expect((await callIn('one', 'grep', { pattern: 'needle' })).text).toBe('a.txt:1:needle one')
    await callIn('two', 'write', { path: 'new.txt', content: 'made' })
    await callIn('two', 'edit', { path: 'new.txt', edits: [{ oldText: 'made', newText: 'changed' }] })
    expect(await readFile(join(root.path, 'two/new.txt'), 'utf8')).toBe('changed')
    expect((await callIn('two', 'shell', { argv: ['pwd'] })).text).toContain(join(root.path, 'two'))
    expect((await callIn(undefined, 'read', { path: 'one/a.txt' })).ok).toBe(true)
  })

  it.each([
    ['read', { path: '../two/b.txt' }],
    ['ls', { path: '../two' }],
    ['find', { pattern: '*', path: '../two' }],
    ['grep', { pattern: 'needle', path: '../two' }],
    ['write', { path: '../two/b.txt', content: '' }],
    ['edit', { path: '../two/b.txt', edits: [{ oldText: 'needle', newText: '' }] }],
    ['shell', { argv: ['ls'], cwd: '../two' }],
  ])('%s stays in the run’s directory and refuses a directory that the run may not have', async (name, input) => {
    await using scene = await openProjects()
    const { root, foreign, callIn } = scene
    expect((await callIn('one', name, input)).text).toContain('outside the workspace')
    const { ok, text } = await callIn(foreign.path, name, input)
    expect({ ok, text }).toMatchObject({ ok: false, text: expect.stringContaining('run.workspace') })
    expect(await readFile(join(root.path, 'two/b.txt'), 'utf8')).toBe('needle two')
  })

  it('grep skips names denied in the whole workspace, and shell runs no program that another run could have written', async () => {
    await using scene = await openProjects()
    const { root, callIn } = scene
    const { text } = await callIn('one/.git', 'grep', { pattern: 'token', path: 'config' })
    expect(text).toContain('Cannot use')
    expect((await callIn('one/.git', 'grep', { pattern: 'token' })).text).toContain('No match')
    const program = await root.write('two/bin/tool', '#!/bin/sh\necho ran')
    await chmod(program, 0o755)
    const env = { PATH: `${join(root.path, 'two/bin')}:${process.env['PATH']}` }
    const tool = createShellTool({ workspace: scene.workspace, policy: anything, confirm: 'never', env })
    const { text: refused } = await callTool([tool], 'shell', { argv: ['tool'], workspace: 'one' })
    expect(refused).toContain("There is no program 'tool' here.")
  })
})
