import { execFileSync } from 'node:child_process'
import { chmod, link, lstat, mkdir, readdir, readFile, rename, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callTool, type CallResult } from '../__fixtures__/call-tool.ts'
import { openTempDirectory, type TempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { createFileTools } from './create-file-tools.ts'

interface Scene extends AsyncDisposable {
  readonly temp: TempDirectory
  readonly outside: TempDirectory
  read(name: string): Promise<string>
  write(path: string, content: string, more?: Readonly<Record<string, unknown>>): Promise<CallResult>
  edit(path: string, oldText: string, newText: string): Promise<CallResult>
  call(name: string, input: Parameters<typeof callTool>[2]): Promise<CallResult>
}

async function openScene(): Promise<Scene> {
  const temp = await openTempDirectory()
  const outside = await openTempDirectory()
  const tools = createFileTools({ workspace: createWorkspace({ roots: [temp.path] }), write: true })
  const call: Scene['call'] = (name, input) => callTool(tools, name, input)
  return {
    temp,
    outside,
    call,
    read: name => readFile(join(temp.path, name), 'utf8'),
    write: (path, content, more = {}) => call('write', { path, content, ...more }),
    edit: (path, oldText, newText) => call('edit', { path, edits: [{ oldText, newText }] }),
    async [Symbol.asyncDispose]() {
      await temp[Symbol.asyncDispose]()
      await outside[Symbol.asyncDispose]()
    },
  }
}

it('createFileTools includes write and edit only if write is true', () => {
  const workspace = createWorkspace({ roots: ['.'] })
  expect(createFileTools({ workspace }).map(tool => tool.name)).toEqual(['read', 'ls', 'find', 'grep'])
  const effects = createFileTools({ workspace, write: true }).map(tool => `${tool.name} ${tool.effect}`)
  expect(effects).toEqual(['read read', 'ls read', 'find read', 'grep read', 'write idempotent', 'edit once'])
})

describe('write', () => {
  it('write creates or replaces a file and leaves no temporary file behind', async () => {
    await using scene = await openScene()
    const { temp, write, read } = scene
    expect((await write('a.txt', 'é')).text).toBe('Wrote 2 bytes to a.txt.')
    expect((await write('a.txt', 'second')).outcome).toMatchObject({ structured: { path: 'a.txt', bytes: 6 } })
    expect(await read('a.txt')).toBe('second')
    expect(await readdir(temp.path)).toEqual(['a.txt'])
  })

  it('write keeps the mode of a file and follows a link inside the workspace to its target', async () => {
    await using scene = await openScene()
    const { temp, write, read } = scene
    const script = await temp.write('bin/run.sh', 'old')
    await chmod(script, 0o754)
    await temp.link('link', 'bin/run.sh')
    await write('link', 'new')
    expect((await stat(script)).mode & 0o7777).toBe(0o754)
    expect((await lstat(join(temp.path, 'link'))).isSymbolicLink()).toBe(true)
    expect(await read('bin/run.sh')).toBe('new')
  })

  it('write creates missing directories only if createDirectories is true', async () => {
    await using scene = await openScene()
    const { write, read } = scene
    expect((await write('a/b/c.txt', 'x')).text).toContain('its directory does not exist')
    expect((await write('a/b/c.txt', 'x', { createDirectories: true })).ok).toBe(true)
    expect(await read('a/b/c.txt')).toBe('x')
    expect((await write('a/b/c.txt/d', 'x', { createDirectories: true })).ok).toBe(false)
  })

  it.each([
    ['../out.txt', 'outside the workspace'],
    ['/etc/parley-test', 'outside the workspace'],
    ['link-out', 'symbolic link'],
    ['link-dir/new.txt', 'symbolic link'],
    ['dangling', 'symbolic link'],
    ['.env', 'hold secrets'],
    ['.git/config', 'hold secrets'],
    ['.git/hooks/pre-commit', 'hold secrets'],
    ['dir', 'special file'],
    ['dir/', 'Name a file'],
    ['.', 'special file'],
    ['', 'empty'],
    ['pipe', 'special file'],
    ['read-only.txt', 'read-only'],
    ['a\0b', 'NUL'],
    ['n'.repeat(300), 'longer than'],
  ])('write refuses the path %j', async (path, words) => {
    await using scene = await openScene()
    const { temp, outside, write } = scene
    const secret = await outside.write('secret.txt', 'SECRET')
    await temp.link('link-out', secret)
    await temp.link('link-dir', outside.path)
    await temp.link('dangling', join(outside.path, 'new.txt'))
    await mkdir(join(temp.path, 'dir'))
    await chmod(await temp.write('read-only.txt', 'keep'), 0o444)
    execFileSync('mkfifo', [join(temp.path, 'pipe')])
    const { ok, text } = await write(path, 'EVIL', { createDirectories: true })
    expect(ok).toBe(false)
    expect(text).toContain(words)
    expect(await readFile(secret, 'utf8')).toBe('SECRET')
    expect(await readdir(outside.path)).toEqual(['secret.txt'])
  })

  it('write replaces a hard link and leaves the content of the file outside unchanged', async () => {
    await using scene = await openScene()
    const secret = await scene.outside.write('secret.txt', 'SECRET')
    await link(secret, join(scene.temp.path, 'hard'))
    await scene.write('hard', 'mine')
    expect(await readFile(secret, 'utf8')).toBe('SECRET')
  })

  it('write never shows a reader partial content, and the last of many concurrent writes wins', async () => {
    await using scene = await openScene()
    const { temp, write, read } = scene
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(100_000))
    await write('a.txt', contents[0] ?? '')
    const seen = new Set<string>()
    const stop = new AbortController()
    const reading = (async () => {
      while (!stop.signal.aborted) seen.add(await read('a.txt'))
    })()
    await Promise.all(contents.map(content => write('a.txt', content)))
    stop.abort()
    await reading
    for (const content of seen) expect(contents).toContain(content)
    expect(await read('a.txt')).toBe(contents.at(-1))
    expect(await readdir(temp.path)).toEqual(['a.txt'])
  })

  it('write does not start if the signal is already aborted', async () => {
    await using scene = await openScene()
    const signal = AbortSignal.abort(new Error('stop'))
    await expect(scene.call('write', { path: 'a', content: '', signal })).rejects.toThrow('stop')
    expect(await readdir(scene.temp.path)).toEqual([])
  })

  it('write rejects text that UTF-8 cannot represent', async () => {
    await using scene = await openScene()
    expect((await scene.write('a', '\uD800')).text).toContain('not valid Unicode')
  })
})

it('write never writes outside the workspace while another process swaps a directory for a link', async () => {
  await using scene = await openScene()
  const { temp, outside, write } = scene
  await temp.write('swap/sub/old.txt', 'fine')
  await outside.write('sub/theirs.txt', 'fine')
  await temp.link('swap-link', outside.path)
  const [directory, aside, outward] = ['swap', 'swap-aside', 'swap-link'].map(name => join(temp.path, name)) as [
    string,
    string,
    string,
  ]
  const stop = new AbortController()
  const swapping = (async () => {
    for (let round = 0; !stop.signal.aborted; round++) {
      await rename(directory, aside)
      await rename(outward, directory)
      await rename(directory, outward)
      await rename(aside, directory)
      await setTimeout(round % 3)
    }
  })()
  for (let round = 0; round < 400; round++) await write('swap/sub/new.txt', `${round}`)
  stop.abort()
  await swapping
  expect(await readdir(join(outside.path, 'sub'))).toEqual(['theirs.txt'])
})

describe('edit', () => {
  it('edit replaces the only occurrence and names its line', async () => {
    await using scene = await openScene()
    await scene.temp.write('a.txt', 'one\ntwo\n')
    const { text, outcome } = await scene.edit('a.txt', 'two', '$& \\1')
    expect(text).toBe('Changed a.txt: 1 replacement (first in line 2).')
    expect(outcome).toMatchObject({ structured: { path: 'a.txt', replacements: 1 } })
    expect(await scene.read('a.txt')).toBe('one\n$& \\1\n')
  })

  it('edit keeps the byte-order mark and the line ends', async () => {
    await using scene = await openScene()
    await scene.temp.write('a.txt', '\uFEFFa\r\nb\r\n')
    expect((await scene.edit('a.txt', 'a\nb', 'x\ny')).ok).toBe(true)
    expect(await scene.read('a.txt')).toBe('\uFEFFx\r\ny\r\n')
  })

  it('edit loses none of many concurrent edits of one file', async () => {
    await using scene = await openScene()
    const names = Array.from({ length: 30 }, (_, index) => `<${index}>`)
    await scene.temp.write('a.txt', names.join('\n'))
    const results = await Promise.all(names.map(name => scene.edit('a.txt', name, `${name} done`)))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(await scene.read('a.txt')).toBe(names.map(name => `${name} done`).join('\n'))
  })

  it('edit changes nothing if one of the edits fails', async () => {
    await using scene = await openScene()
    const file = await scene.temp.write('a.txt', 'a b')
    const { mtimeMs } = await stat(file)
    const edits = [
      { oldText: 'a', newText: 'x' },
      { oldText: 'zz', newText: 'y' },
    ]
    const { ok, text } = await scene.call('edit', { path: 'a.txt', edits })
    expect(ok).toBe(false)
    expect(text).toMatch(/^a\.txt was not changed\. Edit 2 of 2/)
    expect((await stat(file)).mtimeMs).toBe(mtimeMs)
    expect((await scene.call('edit', { path: 'a.txt', edits: [] })).text).toContain('at least one')
  })

  it.each([
    ['link-out', 'symbolic link'],
    ['../x', 'outside'],
    ['gone.txt', 'no such file'],
    ['.env', 'hold secrets'],
    ['binary', 'not a text file'],
    ['latin', 'not in UTF-8'],
    ['dir', 'directory'],
  ])('edit refuses %s', async (path, words) => {
    await using scene = await openScene()
    const { temp, outside } = scene
    await temp.link('link-out', await outside.write('s.txt', 'old'))
    await temp.write('.env', 'old')
    await temp.write('binary', 'old\0')
    await temp.write('latin', Buffer.from('old caf\xe9', 'latin1'))
    await mkdir(join(temp.path, 'dir'))
    const { ok, text } = await scene.edit(path, 'old', 'new')
    expect(ok).toBe(false)
    expect(text).toContain(words)
    expect(await readFile(join(outside.path, 's.txt'), 'utf8')).toBe('old')
  })

  it('update fails instead of overwriting a file that another process changed after the read', async () => {
    await using scene = await openScene()
    const file = await scene.temp.write('a.txt', 'old')
    const workspace = createWorkspace({ roots: [scene.temp.path] })
    const { writeFileSync } = await import('node:fs')
    const updating = workspace.update('a.txt', () => {
      writeFileSync(file, 'theirs')
      return 'mine'
    })
    await expect(updating).rejects.toThrow('another process changed it')
    expect(await scene.read('a.txt')).toBe('theirs')
    expect(await readdir(scene.temp.path)).toEqual(['a.txt'])
  })
})

describe('find', () => {
  it('find finds files by name in all directories below the path', async () => {
    await using scene = await openScene()
    for (const name of ['a.ts', 'src/b.ts', 'src/deep/c.tsx', 'x.md', '.env', 'node_modules/p/d.ts', 'out/e.ts']) {
      await scene.temp.write(name, '')
    }
    await scene.temp.write('.gitignore', 'out/')
    await symlink(scene.outside.path, join(scene.temp.path, 'linked'))
    await scene.outside.write('f.ts', '')
    const find = async (input: Readonly<Record<string, unknown>>) => (await scene.call('find', input)).text.split('\n')
    expect(await find({ pattern: '*.ts' })).toEqual(['a.ts', 'src/b.ts'])
    expect(await find({ pattern: '*.{ts,tsx}', path: 'src' })).toEqual(['src/b.ts', 'src/deep/c.tsx'])
    expect(await find({ pattern: '/*.ts' })).toEqual(['a.ts'])
    expect(await find({ pattern: '*', maxResults: 2 })).toEqual([
      '.gitignore',
      'a.ts',
      '[The first 2 files; there are more. Narrow pattern or path.]',
    ])
    expect(await find({ pattern: '*.py' })).toEqual(["No file matches '*.py' below .; a pattern is relative to path."])
    expect(await find({ pattern: ' ' })).toEqual([expect.stringContaining('empty')])
    expect(await find({ pattern: '*', path: '..' })).toEqual([expect.stringContaining('outside')])
  })

  it('find stops a glob that backtracks without end at its time limit, and stops when its call is aborted', async () => {
    await using scene = await openScene()
    await scene.temp.write(`${'a/'.repeat(50)}a`, 'x')
    const tools = createFileTools({ workspace: createWorkspace({ roots: [scene.temp.path] }), grepTimeLimitMs: 400 })
    const pattern = `${'**/a/'.repeat(25)}b`
    expect((await callTool(tools, 'find', { pattern })).text).toContain('stopped after 400 ms')
    const stop = new AbortController()
    const finding = scene.call('find', { pattern, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(finding).rejects.toThrow('enough')
  })
})
