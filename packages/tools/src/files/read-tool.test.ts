import { truncate } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callTool, type CallResult } from '../__fixtures__/call-tool.ts'
import { openTempDirectory, type TempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { createFileTools } from './create-file-tools.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function read(temp: TempDirectory, input: Readonly<Record<string, unknown>>): Promise<CallResult> {
  return callTool(createFileTools({ workspace: createWorkspace({ roots: [temp.path] }) }), 'read', input)
}

describe('read', () => {
  it('read numbers lines from 1 and reads the whole file by default', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', 'one\ntwo\n')
    const { text, outcome } = await read(temp, { path: 'a.txt' })
    expect(text).toBe('     1\tone\n     2\ttwo')
    expect(outcome).toMatchObject({ structured: { path: 'a.txt', firstLine: 1, lastLine: 2, atEnd: true } })
  })

  it('read shows a window of lines and says how to continue until the end', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n'))
    const first = await read(temp, { path: 'a.txt', offset: 3, limit: 2 })
    expect(first.text).toBe('     3\tline 3\n     4\tline 4\n[Lines 3 to 4; there is more. Continue with offset 5.]')
    const rest = await read(temp, { path: 'a.txt', offset: 5 })
    expect(rest.text.split('\n')).toHaveLength(6)
    expect(rest.text).not.toContain('Continue')
  })

  it('read shows at most 50 KB, and the rest in further calls', async () => {
    await using temp = await openTempDirectory()
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${'ü'.repeat(30)}`)
    await temp.write('big.txt', lines.join('\n'))
    const seen: string[] = []
    let offset = 1
    for (let call = 0; call < 20; call++) {
      const { text } = await read(temp, { path: 'big.txt', offset, limit: 10_000 })
      expect(Buffer.byteLength(text)).toBeLessThan(70_000)
      seen.push(...text.split('\n').flatMap(line => line.split('\t').slice(1)))
      const next = /Continue with offset (\d+)/.exec(text)?.[1]
      if (next === undefined) break
      offset = Number(next)
    }
    expect(seen).toEqual(lines)
  })

  it('read cuts a long line, says so, and shows more of it if the line is read alone', async () => {
    await using temp = await openTempDirectory()
    await temp.write('min.js', `${'x'.repeat(30_000)}\nshort`)
    const { text } = await read(temp, { path: 'min.js' })
    expect(text).toContain('…[cut; the line has 30000 bytes]')
    expect(text).toContain('limit 1')
    expect(text).toContain('     2\tshort')
    const alone = await read(temp, { path: 'min.js', limit: 1 })
    expect(alone.text).toContain('x'.repeat(30_000))
  })

  it('read shows lines deep in a large file without holding the file in memory', async () => {
    await using temp = await openTempDirectory()
    const path = await temp.write('huge.log', `${'x'.repeat(99)}\n`.repeat(200_000))
    await truncate(path, 20_000_000)
    const before = process.memoryUsage().arrayBuffers
    const { text } = await read(temp, { path: 'huge.log', offset: 199_999, limit: 1 })
    expect(text).toContain('Continue with offset 200000')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(15_000_000)
  })

  it('read shows an image, which it recognizes by content and not by name', async () => {
    await using temp = await openTempDirectory()
    await temp.write('picture.dat', PNG)
    const { outcome } = await read(temp, { path: 'picture.dat' })
    expect(outcome).toMatchObject({
      type: 'ok',
      content: [
        { type: 'text', text: 'picture.dat is an image (image/png, 16 bytes).' },
        { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: PNG.toString('base64') } },
      ],
    })
  })

  it('read rejects an image above 10 MB', async () => {
    await using temp = await openTempDirectory()
    await truncate(await temp.write('big.png', PNG), 10_000_001)
    expect((await read(temp, { path: 'big.png' })).text).toContain('scale it down')
  })

  it.each([
    ['%PDF-1.7 x', 'a PDF document'],
    ['PK\x03\x04', 'a ZIP archive'],
    ['a\0b', 'binary data'],
  ])('read names the format of %j instead of showing it', async (content, words) => {
    await using temp = await openTempDirectory()
    await temp.write('x.bin', content)
    const { ok, text } = await read(temp, { path: 'x.bin' })
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })

  it.each([
    [{ path: 'gone.txt' }, 'no such file'],
    [{ path: 'dir' }, 'List it with ls'],
    [{ path: 'a.txt', offset: 4 }, 'only 2 lines'],
    [{ path: '../x' }, 'outside the workspace'],
    [{ path: '.env' }, 'hold secrets'],
  ])('read answers %j with what to do instead', async (input, words) => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', 'one\ntwo\n')
    await temp.write('dir/b.txt', '')
    const { ok, text } = await read(temp, input)
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })

  it('read reports an empty file as empty', async () => {
    await using temp = await openTempDirectory()
    await temp.write('a.txt', '')
    expect(await read(temp, { path: 'a.txt' })).toMatchObject({ ok: true, text: '[a.txt is empty.]' })
  })
})
