import { execFileSync } from 'node:child_process'
import { link, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openTempDirectory, type TempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from './create-workspace.ts'
import { SENSITIVE_NAMES } from './sensitive-names.ts'
import type { Workspace } from './workspace.ts'

interface Scene extends AsyncDisposable {
  readonly inside: TempDirectory
  readonly outside: TempDirectory
  readonly workspace: Workspace
}

async function openScene(): Promise<Scene> {
  const inside = await openTempDirectory()
  const outside = await openTempDirectory()
  await outside.write('secret.txt', 'SECRET')
  await outside.write('deep/secret.txt', 'SECRET')
  await inside.write('file.txt', 'fine')
  await inside.write('src/a.ts', 'fine')
  await inside.write('src/deep/er/b.ts', 'fine')
  await inside.link('link-file', join(outside.path, 'secret.txt'))
  await inside.link('link-dir', outside.path)
  await inside.link('link-root', '/')
  await inside.link('link-parent', '..')
  await inside.link('link-relative', `../${basename(outside.path)}/secret.txt`)
  await inside.link('chain-1', 'chain-2')
  await inside.link('chain-2', 'chain-3')
  await inside.link('chain-3', join(outside.path, 'deep'))
  await inside.link('loop-a', 'loop-b')
  await inside.link('loop-b', 'loop-a')
  await inside.link('self', 'self')
  await inside.link('dangling-out', join(outside.path, 'new.txt'))
  await inside.link('dangling-in', 'not-there.txt')
  await inside.link('src/up-link', '../../..')
  await inside.link('proc-link', '/proc/self/environ')
  await inside.link('dev-link', '/dev/zero')
  await inside.link('fd-link', '/proc/self/fd')
  await inside.link('good-link', 'src/a.ts')
  await inside.link('good-dir', 'src')
  await inside.write('.env', 'KEY=1')
  await inside.link('innocent.txt', '.env')
  await inside.link('innocent-dir', '.git')
  await inside.write('.git/config', 'token')
  await inside.write('.git/HEAD', 'ref')
  const workspace = createWorkspace({ roots: [inside.path] })
  return {
    inside,
    outside,
    workspace,
    async [Symbol.asyncDispose]() {
      await inside[Symbol.asyncDispose]()
      await outside[Symbol.asyncDispose]()
    },
  }
}

async function refusalOf(promise: Promise<unknown>): Promise<{ reason: string; message: string }> {
  try {
    await promise
  } catch (error) {
    if (ParleyError.is(error, 'path-refused')) return { reason: error.info.reason, message: error.message }
    throw error
  }
  return { reason: 'none', message: 'was let through' }
}

/** Every attempt, with OUT for the outside directory, IN for the root and BASE for its last segment. */
const ESCAPES: readonly (readonly [string, string])[] = [
  ['..', 'outside'],
  ['../', 'outside'],
  ['./..', 'outside'],
  ['./../', 'outside'],
  ['.//..//', 'outside'],
  ['src/../..', 'outside'],
  ['src/deep/../../..', 'outside'],
  ['src/./deep/./../../../', 'outside'],
  ['../../../../../../../../etc/passwd', 'outside'],
  ['../../../../../../../../../../../../../../../etc/passwd', 'outside'],
  ['src/../../etc/passwd', 'outside'],
  ['../BASE-sibling/file.txt', 'outside'],
  ['../BASEx', 'outside'],
  ['IN-sibling/file.txt', 'outside'],
  ['INx/file.txt', 'outside'],
  ['IN/../secret', 'outside'],
  ['IN/src/../../x', 'outside'],
  ['OUT/secret.txt', 'outside'],
  ['OUT//secret.txt', 'outside'],
  ['//OUT/secret.txt', 'outside'],
  ['///etc/passwd', 'outside'],
  ['//etc/passwd', 'outside'],
  ['/', 'outside'],
  ['/etc/passwd', 'outside'],
  ['/etc/../etc/passwd', 'outside'],
  ['/proc/self/environ', 'outside'],
  ['/proc/self/cwd', 'outside'],
  ['/proc/self/root/etc/passwd', 'outside'],
  ['/dev/zero', 'outside'],
  ['/dev/stdin', 'outside'],
  ['/dev/fd/0', 'outside'],
  ['/tmp', 'outside'],
  ['/root/.ssh/id_rsa', 'outside'],
  ['link-file', 'outside'],
  ['./link-file', 'outside'],
  ['src/../link-file', 'outside'],
  ['link-file/', 'outside'],
  ['link-dir', 'outside'],
  ['link-dir/', 'outside'],
  ['link-dir/.', 'outside'],
  ['link-dir/secret.txt', 'outside'],
  ['link-dir/deep/secret.txt', 'outside'],
  ['link-dir/not-there', 'outside'],
  ['link-dir/not/there/either', 'outside'],
  ['link-dir//secret.txt', 'outside'],
  ['link-dir/secret.txt/x', 'outside'],
  ['link-file/x', 'outside'],
  ['OUT/secret.txt/x', 'outside'],
  ['/etc/passwd/x', 'outside'],
  ['link-dir/LONG', 'outside'],
  ['dangling-out/x', 'outside'],
  ['IN/link-dir/secret.txt', 'outside'],
  ['link-root/etc/passwd', 'outside'],
  ['link-root/OUT/secret.txt', 'outside'],
  ['link-parent', 'outside'],
  ['link-parent/x', 'outside'],
  ['link-relative', 'outside'],
  ['chain-1', 'outside'],
  ['chain-1/secret.txt', 'outside'],
  ['chain-2/secret.txt', 'outside'],
  ['src/up-link', 'outside'],
  ['src/up-link/etc', 'outside'],
  ['good-dir/up-link', 'outside'],
  ['good-dir/../link-file', 'outside'],
  ['loop-a', 'outside'],
  ['loop-a/x', 'outside'],
  ['self', 'outside'],
  ['self/self/self', 'outside'],
  ['dangling-out', 'outside'],
  ['dangling-in', 'outside'],
  ['proc-link', 'outside'],
  ['dev-link', 'outside'],
  ['fd-link/0', 'outside'],
  ['', 'invalid'],
  ['\0', 'invalid'],
  ['file.txt\0', 'invalid'],
  ['file.txt\0.png', 'invalid'],
  ['../\0/etc', 'invalid'],
  ['~', 'invalid'],
  ['~/.ssh/id_rsa', 'invalid'],
  ['file:///etc/passwd', 'invalid'],
  ['http://127.0.0.1/', 'invalid'],
  ['C:\\Windows\\win.ini', 'invalid'],
  ['c:/Windows/win.ini', 'invalid'],
  ['\\\\server\\share\\x', 'invalid'],
  ['\\\\?\\C:\\x', 'invalid'],
  ['\\\\.\\PhysicalDrive0', 'invalid'],
  ['\uD800', 'invalid'],
  ['x'.repeat(300), 'invalid'],
  ['x/'.repeat(3_000), 'invalid'],
  ['../'.repeat(2_000), 'invalid'],
  ['file.txt/..%2f', 'invalid'],
  ['file.txt/x', 'invalid'],
  ['%2e%2e/secret', 'missing'],
  ['..%2f..%2fetc%2fpasswd', 'missing'],
  ['%2e%2e%2fetc', 'missing'],
  ['..%c0%af..%c0%afetc', 'missing'],
  ['..\\..\\etc\\passwd', 'missing'],
  ['.../...//', 'missing'],
  ['．．/etc/passwd', 'missing'],
  ['․․/etc/passwd', 'missing'],
  ['..∕..∕etc', 'missing'],
  ['..\u200b/etc', 'missing'],
  ['.. /etc/passwd', 'missing'],
  ['..;/etc/passwd', 'missing'],
  ['not-there', 'missing'],
  ['.env', 'sensitive'],
  ['./.env', 'sensitive'],
  ['src/../.env', 'sensitive'],
  ['.ENV', 'sensitive'],
  ['.env.production', 'sensitive'],
  ['src/.env.local', 'sensitive'],
  ['.e\u200bnv', 'sensitive'],
  ['．env', 'sensitive'],
  ['.env.', 'sensitive'],
  ['.env::$DATA', 'sensitive'],
  ['.git/config', 'sensitive'],
  ['.Git/Config', 'sensitive'],
  ['src/.git/config', 'sensitive'],
  ['.ssh/known_hosts', 'sensitive'],
  ['home/.ssh', 'sensitive'],
  ['server.pem', 'sensitive'],
  ['keys/id_rsa', 'sensitive'],
  ['keys/id_ed25519.bak', 'sensitive'],
]

const LINKED_SECRETS = ['innocent.txt', 'innocent-dir/config']

describe('createWorkspace', () => {
  it('refuses every attempt to get out, for what it is, and names no place outside', async () => {
    await using scene = await openScene()
    const { inside, outside, workspace } = scene
    expect(ESCAPES.length).toBeGreaterThan(100)
    for (const [template, reason] of ESCAPES) {
      const path = template
        .replace('OUT', outside.path)
        .replace('LONG', 'x'.repeat(300))
        .replace('IN', inside.path)
        .replace('BASE', basename(inside.path))
      const refusal = await refusalOf(workspace.resolve(path))
      expect({ path, reason: refusal.reason }).toEqual({ path, reason })
      if (!template.includes('OUT')) expect(refusal.message).not.toContain(basename(outside.path))
      expect((await refusalOf(workspace.open(path))).reason).toBe(reason)
      // A writer gets no further than a reader, except to names that are free.
      const forWriting = (await refusalOf(workspace.resolve(path, { mustExist: false }))).reason
      expect({ path, reason: forWriting }).toEqual({ path, reason: reason === 'missing' ? 'none' : reason })
    }
  })

  it.each(LINKED_SECRETS)('judges %s by what it leads to', async path => {
    await using scene = await openScene()
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
  ])('lets %s through, as %s', async (template, shown) => {
    await using scene = await openScene()
    const { inside, workspace } = scene
    const path = template.replace('IN', inside.path).replace('BASE', basename(inside.path))
    expect(await workspace.resolve(path)).toEqual({ path: join(inside.path, shown), shown, exists: true })
  })

  it('gives the same answer for what exists outside and what does not', async () => {
    await using scene = await openScene()
    const { outside, workspace } = scene
    for (const [there, gone] of [
      [join(outside.path, 'secret.txt'), join(outside.path, 'nothing.txt')],
      ['link-dir/secret.txt', 'link-dir/nothing.txt'],
      ['link-file', 'dangling-out'],
      ['link-dir/secret.txt/x', 'link-dir/nothing.txt/x'],
      [join(outside.path, 'secret.txt/x'), join(outside.path, 'nothing.txt/x')],
    ] as const) {
      const [a, b] = [await refusalOf(workspace.resolve(there)), await refusalOf(workspace.resolve(gone))]
      expect(a.message.replace(there, '')).toBe(b.message.replace(gone, ''))
    }
  })

  it('goes by the name that is asked for, too', async () => {
    await using scene = await openScene()
    const { inside, outside, workspace } = scene
    await outside.link('back', join(inside.path, 'file.txt'))
    expect((await refusalOf(workspace.resolve(join(outside.path, 'back')))).reason).toBe('outside')
    await inside.link('.env.link', 'file.txt')
    expect((await refusalOf(workspace.resolve('.env.link'))).reason).toBe('sensitive')
  })

  it('tells where a new file would really lie', async () => {
    await using scene = await openScene()
    const { inside, workspace } = scene
    expect(await workspace.resolve('good-dir/new/file.ts', { mustExist: false })).toEqual({
      path: join(inside.path, 'src/new/file.ts'),
      shown: 'src/new/file.ts',
      exists: false,
    })
  })

  it('compares whole segments: a root is no prefix of its neighbours', async () => {
    await using temp = await openTempDirectory()
    await temp.write('dev/a.txt', '')
    await temp.write('development/a.txt', '')
    const workspace = createWorkspace({ roots: [join(temp.path, 'dev')] })
    expect((await workspace.resolve('a.txt')).exists).toBe(true)
    expect((await refusalOf(workspace.resolve('../development/a.txt'))).reason).toBe('outside')
    expect((await refusalOf(workspace.resolve(join(temp.path, 'development/a.txt')))).reason).toBe('outside')
  })

  it('takes several roots, relative paths being those of the first, and links between them', async () => {
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

  it('takes a root that is spelled through a link', async () => {
    await using temp = await openTempDirectory()
    await temp.write('real/a.txt', '')
    await temp.link('alias', 'real')
    const workspace = createWorkspace({ roots: [join(temp.path, 'alias')] })
    expect(workspace.roots).toEqual([join(temp.path, 'real')])
    expect((await workspace.resolve(join(temp.path, 'alias/a.txt'))).path).toBe(join(temp.path, 'real/a.txt'))
    expect((await workspace.resolve(join(temp.path, 'real/a.txt'))).shown).toBe('a.txt')
  })

  it('lets the denied names be replaced and added to', async () => {
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

  it('does not count names above the root, which its owner chose', async () => {
    await using temp = await openTempDirectory()
    await temp.write('.ssh/project/a.txt', '')
    const workspace = createWorkspace({ roots: [join(temp.path, '.ssh/project')] })
    expect((await workspace.resolve('a.txt')).exists).toBe(true)
  })

  it('keeps devices and kernel interfaces out of a root that holds everything', async () => {
    const workspace = createWorkspace({ roots: ['/'] })
    for (const path of ['/dev/zero', '/proc/self/environ', 'sys/kernel', 'etc/shadow']) {
      expect((await refusalOf(workspace.resolve(path))).reason).toBe('sensitive')
    }
    expect((await workspace.resolve('etc')).shown).toBe('etc')
  })

  it.each([
    ['no roots', []],
    ['a root that does not exist', ['/not/there']],
    ['a root that is a file', [import.meta.filename]],
  ])('does not begin with %s', (_, roots) => {
    expect(() => createWorkspace({ roots })).toThrowError(expect.objectContaining({ code: 'config-invalid' }))
  })

  it('opens files, and neither directories nor pipes nor sockets', async () => {
    await using scene = await openScene()
    const { inside, workspace } = scene
    await using file = await workspace.open('good-link')
    expect(await file.handle.readFile('utf8')).toBe('fine')
    expect(file).toMatchObject({ shown: 'src/a.ts', size: 4 })
    expect(await refusalOf(workspace.open('src'))).toEqual({
      reason: 'unusable',
      message: expect.stringContaining('List it with ls'),
    })
    execFileSync('mkfifo', [join(inside.path, 'pipe')])
    const noFile = { reason: 'unusable', message: expect.stringContaining('no regular file') }
    expect(await refusalOf(workspace.open('pipe'))).toEqual(noFile)
    const server = createServer().listen(join(inside.path, 'sock'))
    await new Promise(resolve => server.once('listening', resolve))
    expect(await refusalOf(workspace.open('sock'))).toEqual(noFile)
    await new Promise(resolve => server.close(resolve))
  })

  it('never opens a file outside while somebody swaps a directory for a link', async () => {
    await using scene = await openScene()
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

  it('says that it cannot tell a hard link from a file', async () => {
    await using scene = await openScene()
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
    // Rests of different length let every step of an opening meet every step of the swap.
    await setTimeout(round++ % 3)
  }
  await rm(outward)
  await mkdir(directory, { recursive: true })
}
