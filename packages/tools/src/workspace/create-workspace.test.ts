import { execFileSync } from 'node:child_process'
import { link, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { openHostileWorkspace, refusalOf } from './__fixtures__/open-hostile-workspace.ts'
import { createWorkspace } from './create-workspace.ts'
import { SENSITIVE_NAMES } from './sensitive-names.ts'

const LINKED_SECRETS = ['innocent.txt', 'innocent-dir/config']

describe('createWorkspace', () => {
  it.each(LINKED_SECRETS)('a workspace judges the link %s by its target', async path => {
    await using scene = await openHostileWorkspace()
    expect((await refusalOf(scene.workspace.resolve(path))).reason).toBe('sensitive')
  })

  it.each([
    ['.', '.'],
    ['./', '.'],
    ['file.txt', 'file.txt'],
    ['file.txt/', 'file.txt'],
    ['./file.txt', 'file.txt'],
    ['src//a.ts', 'src/a.ts'],
    ['src/../src/./a.ts', 'src/a.ts'],
    ['src/deep/../../file.txt', 'file.txt'],
    ['../BASE/file.txt', 'file.txt'],
    ['IN/src/a.ts', 'src/a.ts'],
    ['//IN/src/a.ts', 'src/a.ts'],
    ['good-link', 'src/a.ts'],
    ['good-dir/a.ts', 'src/a.ts'],
    ['.git/HEAD', '.git/HEAD'],
  ])('a workspace resolves %s to %s', async (template, shown) => {
    await using scene = await openHostileWorkspace()
    const { inside, workspace } = scene
    const path = template.replace('IN', inside.path).replace('BASE', basename(inside.path))
    expect(await workspace.resolve(path)).toEqual({ path: join(inside.path, shown), shown, exists: true })
  })

  it('a workspace also judges the requested name of a link, not only its target', async () => {
    await using scene = await openHostileWorkspace()
    const { inside, outside, workspace } = scene
    await outside.link('back', join(inside.path, 'file.txt'))
    expect((await refusalOf(workspace.resolve(join(outside.path, 'back')))).reason).toBe('outside')
    await inside.link('.env.link', 'file.txt')
    expect((await refusalOf(workspace.resolve('.env.link'))).reason).toBe('sensitive')
  })

  it('a workspace resolves the real path of a file that does not exist yet', async () => {
    await using scene = await openHostileWorkspace()
    const { inside, workspace } = scene
    expect(await workspace.resolve('good-dir/new/file.ts', { mustExist: false })).toEqual({
      path: join(inside.path, 'src/new/file.ts'),
      shown: 'src/new/file.ts',
      exists: false,
    })
  })

  it('a workspace compares whole path segments, so a directory that shares a name prefix with a root is outside', async () => {
    await using temp = await openTempDirectory()
    await temp.write('dev/a.txt', '')
    await temp.write('development/a.txt', '')
    const workspace = createWorkspace({ roots: [join(temp.path, 'dev')] })
    expect((await workspace.resolve('a.txt')).exists).toBe(true)
    expect((await refusalOf(workspace.resolve('../development/a.txt'))).reason).toBe('outside')
    expect((await refusalOf(workspace.resolve(join(temp.path, 'development/a.txt')))).reason).toBe('outside')
  })

  it('a workspace supports several roots, links between them, and paths relative to the first', async () => {
    await using one = await openTempDirectory()
    await using two = await openTempDirectory()
    await one.write('a.txt', '')
    const other = await two.write('b.txt', '')
    await one.link('to-two', two.path)
    const workspace = createWorkspace({ roots: [one.path, two.path] })
    expect((await workspace.resolve('a.txt')).shown).toBe('a.txt')
    expect(await workspace.resolve(other)).toEqual({ path: other, shown: other, exists: true })
    expect((await workspace.resolve('to-two/b.txt')).path).toBe(other)
    expect((await refusalOf(workspace.resolve('b.txt'))).message).toContain(two.path)
  })

  it('createWorkspace accepts a root whose path goes through a link', async () => {
    await using temp = await openTempDirectory()
    await temp.write('real/a.txt', '')
    await temp.link('alias', 'real')
    const workspace = createWorkspace({ roots: [join(temp.path, 'alias')] })
    expect(workspace.roots).toEqual([join(temp.path, 'real')])
    expect((await workspace.resolve(join(temp.path, 'alias/a.txt'))).path).toBe(join(temp.path, 'real/a.txt'))
    expect((await workspace.resolve(join(temp.path, 'real/a.txt'))).shown).toBe('a.txt')
  })

  it('the option denied replaces or extends the default names', async () => {
    await using temp = await openTempDirectory()
    await temp.write('.env', '')
    await temp.write('.env.example', '')
    await temp.write('plan.txt', '')
    const strict = createWorkspace({ roots: [temp.path], denied: [...SENSITIVE_NAMES, 'plan.*'] })
    expect((await refusalOf(strict.resolve('plan.txt'))).reason).toBe('sensitive')
    expect((await refusalOf(strict.resolve('.env'))).reason).toBe('sensitive')
    expect((await strict.resolve('.env.example')).exists).toBe(true)
    const open = createWorkspace({ roots: [temp.path], denied: [] })
    expect((await open.resolve('.env')).exists).toBe(true)
  })

  it('the denied names do not apply to the path of the root itself', async () => {
    await using temp = await openTempDirectory()
    await temp.write('.ssh/project/a.txt', '')
    const workspace = createWorkspace({ roots: [join(temp.path, '.ssh/project')] })
    expect((await workspace.resolve('a.txt')).exists).toBe(true)
  })

  it('a workspace refuses devices and kernel interfaces even if its root is /', async () => {
    const workspace = createWorkspace({ roots: ['/'] })
    for (const path of ['/dev/zero', '/proc/self/environ', 'sys/kernel', 'etc/shadow']) {
      expect((await refusalOf(workspace.resolve(path))).reason).toBe('sensitive')
    }
    expect((await workspace.resolve('etc')).shown).toBe('etc')
  })

  it.each([
    ['an empty list of roots', []],
    ['a root that does not exist', ['/not/there']],
    ['a root that is a file', [import.meta.filename]],
  ])('createWorkspace rejects %s with config-invalid', (_, roots) => {
    expect(() => createWorkspace({ roots })).toThrowError(expect.objectContaining({ code: 'config-invalid' }))
  })

  it('a workspace opens regular files and refuses directories, pipes and sockets', async () => {
    await using scene = await openHostileWorkspace()
    const { inside, workspace } = scene
    await using file = await workspace.open('good-link')
    expect(await file.handle.readFile('utf8')).toBe('fine')
    expect(file).toMatchObject({ shown: 'src/a.ts', size: 4 })
    expect(await refusalOf(workspace.open('src'))).toEqual({
      reason: 'unusable',
      message: expect.stringContaining('List it with ls'),
    })
    execFileSync('mkfifo', [join(inside.path, 'pipe')])
    const noFile = { reason: 'unusable', message: expect.stringContaining('not a regular file') }
    expect(await refusalOf(workspace.open('pipe'))).toEqual(noFile)
    const server = createServer().listen(join(inside.path, 'sock'))
    await new Promise(resolve => server.once('listening', resolve))
    expect(await refusalOf(workspace.open('sock'))).toEqual(noFile)
    await new Promise(resolve => server.close(resolve))
  })

  it('a workspace never opens a file outside while another process swaps a directory for a link', async () => {
    await using scene = await openHostileWorkspace()
    const { inside, outside, workspace } = scene
    await inside.write('swap/secret.txt', 'fine')
    await symlink(outside.path, join(inside.path, 'swap-link'))
    const stop = new AbortController()
    const swapping = swap(inside.path, stop.signal)
    const seen = new Set<string>()
    for (let round = 0; round < 1_500; round++) {
      try {
        await using file = await workspace.open('swap/secret.txt')
        seen.add(await file.handle.readFile('utf8'))
      } catch (error) {
        if (!ParleyError.is(error, 'path-refused')) throw error
      }
    }
    stop.abort()
    await swapping
    expect([...seen]).toEqual(['fine'])
  })

  it('a workspace cannot distinguish a hard link to a file outside from a file inside', async () => {
    await using scene = await openHostileWorkspace()
    const { inside, outside, workspace } = scene
    await link(join(outside.path, 'secret.txt'), join(inside.path, 'hard'))
    expect((await workspace.resolve('hard')).exists).toBe(true)
  })
})

async function swap(root: string, signal: AbortSignal): Promise<void> {
  const [directory, aside, outward] = ['swap', 'swap-aside', 'swap-link'].map(name => join(root, name)) as [
    string,
    string,
    string,
  ]
  let round = 0
  while (!signal.aborted) {
    await rename(directory, aside)
    await rename(outward, directory)
    await rename(directory, outward)
    await rename(aside, directory)
    // Pauses of different lengths let every step of `open` coincide with every step of the swap.
    await setTimeout(round++ % 3)
  }
  await rm(outward)
  await mkdir(directory, { recursive: true })
}
