import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { callTool, type CallResult } from '../__fixtures__/call-tool.ts'
import { openTempDirectory, type TempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { createFileTools } from './create-file-tools.ts'

function grep(
  temp: TempDirectory,
  { timeLimitMs = 10_000, ...input }: Parameters<typeof callTool>[2] & { timeLimitMs?: number },
): Promise<CallResult> {
  const workspace = createWorkspace({ roots: [temp.path] })
  return callTool(createFileTools({ workspace, grepTimeLimitMs: timeLimitMs }), 'grep', input)
}

async function openProject(): Promise<TempDirectory> {
  const temp = await openTempDirectory()
  await temp.write('a.ts', 'const needle = 1\n// nothing\n  return needle\n')
  await temp.write('src/b.tsx', 'a NEEDLE here\r\nand a needle\r\n')
  await temp.write('src/deep/c.md', 'before\nneedle (x)\nafter\n')
  return temp
}

describe('grep', () => {
  it('grep finds matches anywhere in a line, in all directories below the path', async () => {
    await using temp = await openProject()
    const { text, outcome } = await grep(temp, { pattern: 'needle' })
    expect(text.split('\n')).toEqual([
      'a.ts:1:const needle = 1',
      'a.ts:3:  return needle',
      'src/b.tsx:2:and a needle',
      'src/deep/c.md:2:needle (x)',
    ])
    expect(outcome).toMatchObject({ structured: { matches: 4, files: 3, complete: true } })
  })

  it.each([
    ['*.ts', ['a.ts', 'a.ts']],
    ['*.{ts,tsx}', ['a.ts', 'a.ts', 'src/b.tsx']],
    ['src/**/*.md', ['src/deep/c.md']],
    ['./src/*.tsx', ['src/b.tsx']],
    ['/*.ts', ['a.ts', 'a.ts']],
    ['src', ['src/b.tsx', 'src/deep/c.md']],
    ['!*.ts', ['src/b.tsx', 'src/deep/c.md']],
    ['{src,!*.md}', ['src/b.tsx']],
  ])('grep searches only the files that match the glob %s', async (glob, files) => {
    await using temp = await openProject()
    const { text } = await grep(temp, { pattern: 'needle', glob })
    expect(text.split('\n').map(line => line.split(':')[0])).toEqual(files)
  })

  it('grep searches a given file or directory and shows paths relative to the root', async () => {
    await using temp = await openProject()
    expect((await grep(temp, { pattern: 'needle', path: 'src/deep' })).text).toBe('src/deep/c.md:2:needle (x)')
    expect((await grep(temp, { pattern: 'needle', path: 'src/b.tsx' })).text).toBe('src/b.tsx:2:and a needle')
  })

  it('grep supports plain text and case-insensitive patterns', async () => {
    await using temp = await openProject()
    expect((await grep(temp, { pattern: 'needle (x)', literal: true })).text).toBe('src/deep/c.md:2:needle (x)')
    expect((await grep(temp, { pattern: 'NeEdLe h', ignoreCase: true })).text).toBe('src/b.tsx:1:a NEEDLE here')
    expect((await grep(temp, { pattern: '(?i)needle HERE' })).text).toBe('src/b.tsx:1:a NEEDLE here')
    expect((await grep(temp, { pattern: 'needle$' })).text).toContain('src/b.tsx:2:and a needle')
  })

  it('grep shows lines of context and separates the groups of different files', async () => {
    await using temp = await openProject()
    const { text } = await grep(temp, { pattern: 'needle', context: 1, glob: '!*.tsx' })
    expect(text.split('\n')).toEqual([
      'a.ts:1:const needle = 1',
      'a.ts-2-// nothing',
      'a.ts:3:  return needle',
      '--',
      'src/deep/c.md-1-before',
      'src/deep/c.md:2:needle (x)',
      'src/deep/c.md-3-after',
    ])
  })

  it('grep skips ignored, binary, denied and linked files, and node_modules', async () => {
    await using temp = await openTempDirectory()
    await using outside = await openTempDirectory()
    await outside.write('out.txt', 'needle')
    await temp.write('.gitignore', 'dist/\n*.log\n!keep.log\n')
    await temp.write('sub/.gitignore', 'local.txt\n')
    for (const hidden of ['dist/a.js', 'x.log', 'sub/local.txt', 'node_modules/p/i.js', '.git/HEAD', '.env', 'k.pem']) {
      await temp.write(hidden, 'needle')
    }
    await temp.write('data.bin', 'a\0needle')
    await temp.link('link.txt', `${outside.path}/out.txt`)
    await temp.link('link-dir', outside.path)
    for (const seen of ['keep.log', 'local.txt', 'sub/seen.txt', '.github/ci.yml']) await temp.write(seen, 'needle')
    const { text } = await grep(temp, { pattern: 'needle' })
    expect(text.split('\n').map(line => line.split(':')[0])).toEqual([
      'keep.log',
      'local.txt',
      '.github/ci.yml',
      'sub/seen.txt',
    ])
    expect((await grep(temp, { pattern: 'needle', path: 'dist' })).text).toBe('dist/a.js:1:needle')
    expect((await grep(temp, { pattern: 'needle', path: 'node_modules/p' })).text).toBe('node_modules/p/i.js:1:needle')
    expect((await grep(temp, { pattern: 'needle', path: 'link-dir' })).text).toContain('symbolic link')
    expect((await grep(temp, { pattern: 'needle', path: '.env' })).text).toContain('hold secrets')
  })

  it('grep skips the denied names of its workspace instead of the defaults', async () => {
    await using temp = await openTempDirectory()
    await temp.write('plan.txt', 'needle')
    await temp.write('.env', 'needle')
    const tools = createFileTools({ workspace: createWorkspace({ roots: [temp.path], denied: ['plan.*'] }) })
    expect((await callTool(tools, 'grep', { pattern: 'needle' })).text).toBe('.env:1:needle')
  })

  it('grep stops at maxMatches and says so only if there are more matches', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', 'needle\n'.repeat(5))
    const capped = await grep(temp, { pattern: 'needle', maxMatches: 4 })
    expect(capped.text.split('\n').slice(3)).toEqual(['a.txt:4:needle', expect.stringContaining('The first 4 matches')])
    const exact = await grep(temp, { pattern: 'needle', maxMatches: 5 })
    expect(exact.text.split('\n')).toHaveLength(5)
  })

  it('grep stops when the output is full', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', `needle ${'x'.repeat(300)}\n`.repeat(1_000))
    const { text } = await grep(temp, { pattern: 'needle', maxMatches: 1_000 })
    expect(text.length).toBeLessThan(51_000)
    expect(text).toContain('output is full')
  })

  it('grep reports that it found nothing and gives a possible reason', async () => {
    await using temp = await openProject()
    await temp.write('x.bin', '\0')
    await temp.write('.ssh/id', 'absent')
    expect((await grep(temp, { pattern: 'absent' })).text).toBe('No match in 3 files (skipped: 1 binary).')
    expect((await grep(temp, { pattern: 'needle', glob: '*.py' })).text).toContain("No file matches the glob '*.py'")
  })

  it('grep searches only the first part of a long line and says so', async () => {
    await using temp = await openTempDirectory()
    await temp.write('min.js', `${'x'.repeat(20_000)}needle\nneedle`)
    const { text } = await grep(temp, { pattern: 'needle' })
    expect(text).toBe('min.js:2:needle\n[1 lines were searched only in their first 10000 characters.]')
  })

  it.each([
    [{ pattern: '(' }, 'Unterminated group. Patterns are JavaScript'],
    [{ pattern: '' }, 'empty'],
    [{ pattern: 'a\nb' }, 'one by one'],
    [{ pattern: '[[:alpha:]]' }, 'POSIX'],
    [{ pattern: 'a', path: 'gone' }, 'no such file'],
    [{ pattern: 'a', path: '/etc' }, 'outside the workspace'],
    [{ pattern: 'a', glob: '{a,b}'.repeat(30) }, 'Use fewer alternatives'],
  ])('grep answers %j with what to do instead', async (input, words) => {
    await using temp = await openProject()
    const { ok, text } = await grep(temp, input)
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })

  it('grep stops a pattern that backtracks without end at its time limit and keeps the earlier matches', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', `hello\n${'a'.repeat(60)}!\n`)
    const stuck = await grep(temp, { pattern: '(a+)+$', timeLimitMs: 500 })
    expect(stuck.ok).toBe(false)
    expect(stuck.text).toContain('stopped after 500 ms')
    expect(stuck.text).toContain('simplify it')
    const partly = await grep(temp, { pattern: '^hello|(a+)+$', timeLimitMs: 2_000 })
    expect(partly.ok).toBe(true)
    expect(partly.text).toMatch(/^a\.txt:1:hello\n\[The search was stopped after 2000 ms/)
    expect(await cpuShareNow()).toBeLessThan(0.6)
  })

  it('grep stops a glob that backtracks without end at its time limit', async () => {
    await using temp = await openTempDirectory()
    await temp.write(`${'a/'.repeat(50)}a`, 'x')
    const { text } = await grep(temp, { pattern: 'x', glob: `${'**/a/'.repeat(25)}b`, timeLimitMs: 500 })
    expect(text).toContain('stopped after 500 ms')
  })

  it('grep does not block the process while it searches, and its thread ends when the call is aborted', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', `${'a'.repeat(60)}!\n`)
    const stop = new AbortController()
    const searching = grep(temp, { pattern: '(a+)+$', timeLimitMs: 60_000, signal: stop.signal })
    const reason = searching.catch((error: unknown) => error)
    await setTimeout(300)
    stop.abort(new Error('enough'))
    expect(await reason).toEqual(new Error('enough'))
    expect(await cpuShareNow()).toBeLessThan(0.6)
  })

  it('grep throws the reason of a signal that was aborted before the call', async () => {
    await using temp = await openProject()
    await expect(grep(temp, { pattern: 'a', signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
  })
})

/** The CPU share of this process over all threads. A search that still runs would use one whole core. */
async function cpuShareNow(): Promise<number> {
  const before = process.cpuUsage()
  await setTimeout(300)
  const { user } = process.cpuUsage(before)
  return user / 300_000
}
