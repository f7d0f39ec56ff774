import { mkdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callTool, type CallResult } from '../__fixtures__/call-tool.ts'
import { openTempDirectory, type TempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { createFileTools } from './create-file-tools.ts'

function ls(temp: TempDirectory, input: Parameters<typeof callTool>[2] = {}): Promise<CallResult> {
  return callTool(createFileTools({ workspace: createWorkspace({ roots: [temp.path] }) }), 'ls', input)
}

describe('ls', () => {
  it('ls shows type, size, time and name, sorted by name, and marks entries that may not be read', async () => {
    await using temp = await openTempDirectory()
    const file = await temp.write('b.txt', 'hello')
    await utimes(file, 0, Date.UTC(2026, 0, 2, 3, 4, 5) / 1000)
    await mkdir(join(temp.path, 'a'))
    await temp.write('.env', 'KEY=1')
    await temp.link('z', '/etc')
    const { text, outcome } = await ls(temp)
    expect(text.split('\n').map(line => line.replace(/ {2}2\d{3}-\S+ /, ' TIME '))).toEqual([
      'file                  5 TIME  .env  [not readable here]',
      'directory             - TIME  a/',
      'file                  5 TIME  b.txt',
      'link                  - TIME  z',
    ])
    expect(text).toContain('2026-01-02T03:04:05Z  b.txt')
    expect(text).not.toContain('/etc')
    expect(outcome).toMatchObject({ structured: { path: '.', total: 4, complete: true } })
  })

  it('ls shows 1,000 entries of a larger directory and the total', async () => {
    await using temp = await openTempDirectory()
    for (let index = 0; index < 1_005; index++) await temp.write(`f${String(index).padStart(4, '0')}`, '')
    const lines = (await ls(temp)).text.split('\n')
    expect(lines).toHaveLength(1_001)
    expect(lines[999]).toContain('f0999')
    expect(lines[1000]).toContain('1000 of 1005 entries')
  })

  it('ls shows a name with a line break on one line', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a\nfile  9  b', '')
    expect((await ls(temp)).text.split('\n')).toHaveLength(1)
  })

  it('ls reports an empty directory, and answers a wrong path with what to do instead', async () => {
    await using temp = await openTempDirectory()
    expect((await ls(temp)).text).toBe('[. is empty.]')
    await temp.write('a.txt', '')
    expect(await ls(temp, { path: 'a.txt' })).toMatchObject({ ok: false, text: expect.stringContaining('Use read') })
    expect((await ls(temp, { path: 'gone' })).text).toContain('no such file or directory')
    expect((await ls(temp, { path: '..' })).text).toContain('outside the workspace')
  })

  it('ls stops when its call is aborted', async () => {
    await using temp = await openTempDirectory()
    for (let index = 0; index < 100; index++) await temp.write(`f${index}`, '')
    const stop = new AbortController()
    const listing = ls(temp, { signal: stop.signal })
    stop.abort(new Error('stop'))
    await expect(listing).rejects.toThrow('stop')
  })
})
