import { open } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { readWindow, type FileWindow, type WindowOptions } from './read-window.ts'

async function windowOf(content: string | Uint8Array, options: Partial<WindowOptions> = {}): Promise<FileWindow> {
  await using temp = await openTempDirectory()
  await using handle = await open(await temp.write('a.txt', content))
  const { signal } = new AbortController()
  return await readWindow(handle, { offset: 1, limit: 100, maxBytes: 10_000, maxLineBytes: 10_000, signal, ...options })
}

function texts({ lines }: FileWindow): string[] {
  return lines.map(({ text }) => text)
}

describe('readWindow', () => {
  it('readWindow returns the same lines as splitting the text, for any window', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', ' ', '\r'), maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom('', '\n'),
        fc.record({ offset: fc.integer({ min: 1, max: 10 }), limit: fc.integer({ min: 1, max: 10 }) }),
        async (given, ending, { offset, limit }) => {
          const content = given.join('\n') + (given.length > 0 ? ending : '')
          const all = content.split('\n').map(text => text.replace(/\r$/, ''))
          if (all.at(-1) === '' && content.split('\n').at(-1) === '') all.pop()
          const window = await windowOf(content, { offset, limit })
          expect(texts(window)).toEqual(all.slice(offset - 1, offset - 1 + limit))
          expect(window.atEnd).toBe(offset - 1 + limit >= all.length)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('readWindow reads across chunks, also where a chunk limit splits a character', async () => {
    const long = '😀'.repeat(20_000)
    const content = `x${long}\ny${long}\nlast`
    expect(texts(await windowOf(content, { maxBytes: 1e6, maxLineBytes: 1e6 }))).toEqual(content.split('\n'))
  })

  it('readWindow cuts a long line between characters and returns its length', async () => {
    const { lines } = await windowOf('ab😀cd\nnext\n', { maxLineBytes: 5 })
    expect(lines).toEqual([{ text: 'ab', cutFrom: 8 }, { text: 'next' }])
    expect(await windowOf('ab😀cd', { maxLineBytes: 6 })).toMatchObject({ lines: [{ text: 'ab😀', cutFrom: 8 }] })
    expect(await windowOf('ab😀cd', { maxLineBytes: 8 })).toMatchObject({ lines: [{ text: 'ab😀cd' }], atEnd: true })
  })

  it('readWindow stops before a line that does not fit, but returns at least one line', async () => {
    expect(await windowOf('aaaa\nbbbb\ncccc\n', { maxBytes: 9 })).toMatchObject({ linesSeen: 2, atEnd: false })
    expect(await windowOf('aaaa\nbbbb\ncccc', { maxBytes: 9 })).toMatchObject({ linesSeen: 2, atEnd: false })
    expect(await windowOf('aaaa\nbbbb\n', { maxBytes: 8 })).toMatchObject({ linesSeen: 2, atEnd: true })
    expect(texts(await windowOf('aaaa\nbbbb\n', { maxBytes: 1 }))).toEqual(['aaaa'])
  })

  it('readWindow counts the lines of a file that ends before the window', async () => {
    expect(await windowOf('a\nb\nc', { offset: 9 })).toEqual({ lines: [], linesSeen: 3, atEnd: true })
    expect(await windowOf('')).toEqual({ lines: [], linesSeen: 0, atEnd: true })
  })

  it('readWindow removes a byte-order mark and the carriage returns of line ends', async () => {
    expect(texts(await windowOf('\uFEFFa\r\nb\rc\r\n'))).toEqual(['a', 'b\rc'])
  })

  it('readWindow throws the reason of an aborted signal', async () => {
    await expect(windowOf('a', { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
  })
})
