import { open } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { readLineBatches } from './read-line-batches.ts'

async function linesOf(content: string, { size = 64, maxLineBytes = 32 } = {}): Promise<string[]> {
  await using temp = await openTempDirectory()
  await using handle = await open(await temp.write('a.txt', content))
  return [...readLineBatches(handle.fd, { buffer: Buffer.alloc(size), maxLineBytes })].flat()
}

describe('readLineBatches', () => {
  it('readLineBatches yields the lines of the text for every position of the buffer limits', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', ' '), maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (given, windows) => {
        const content = given.join(windows ? '\r\n' : '\n')
        const expected = content === '' ? [] : given
        const lines = await linesOf(content)
        expect(lines).toEqual(expected.at(-1) === '' ? expected.slice(0, -1) : expected)
      }),
      { numRuns: 100 },
    )
  })

  it('readLineBatches yields the start of a line longer than the buffer, and the following lines whole', async () => {
    const lines = await linesOf(`first\n${'x'.repeat(1_000)}\nlast\n`)
    expect(lines).toHaveLength(3)
    expect(lines[1]?.slice(0, 32)).toBe('x'.repeat(32))
    expect(lines[1]?.length).toBeLessThan(64)
    expect(lines[2]).toBe('last')
  })

  it('readLineBatches removes a byte-order mark', async () => {
    expect(await linesOf('\uFEFFa\nb')).toEqual(['a', 'b'])
    expect(await linesOf('\uFEFFa')).toEqual(['a'])
  })
})
