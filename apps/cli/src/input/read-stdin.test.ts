import { expect, it } from 'vitest'
import { readLines, readStdin } from './read-stdin.ts'

async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text, 'latin1')
}

/** Text without an end. Fails if much more is read than the limit. */
async function* endless(): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(1_048_576, 'a')
  for (let read = 0; read < 40; read += 1) yield piece
  throw new Error('the reader has no limit')
}

async function linesOf(source: AsyncIterable<Buffer>): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(source)) lines.push(line)
  return lines
}

it('readStdin joins pieces, also within a character', async () => {
  expect(await readStdin(pieces('gr\u00c3', '\u00bc\u00c3\u009fe'))).toBe('grüße')
})

it('readLines splits at LF and CRLF across pieces, and keeps a last line without an end', async () => {
  expect(await linesOf(pieces('a\nb', 'c\r', '\n\nd'))).toEqual(['a', 'bc', '', 'd'])
  expect(await linesOf(pieces('a\n'))).toEqual(['a'])
})

it('readStdin and readLines reject input without an end', async () => {
  const error = { code: 'config-invalid', info: { path: 'stdin' } }
  await expect(readStdin(endless())).rejects.toMatchObject(error)
  await expect(linesOf(endless())).rejects.toMatchObject(error)
})
