import fs from 'node:fs'
import { notTried } from '@parley-tooling/test-run/not-tried'
import { describe, expect, it } from 'vitest'
import { fillRandom } from './fill-random.ts'

const versions = { node: '24.0.0' }
const crypto = { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) }
const forbidden = (): never => {
  throw new Error('not permitted')
}

describe('fillRandom', () => {
  it('fillRandom fills all bytes, each time with other ones', () => {
    const [first, second] = [new Uint8Array(64), new Uint8Array(64)]
    fillRandom(first)
    fillRandom(second)
    expect(first).not.toEqual(second)
    expect(first.slice(-32).some(byte => byte !== 0)).toBe(true)
  })

  it('fillRandom does not load crypto on Node.js, and closes the device', context => {
    if (process.platform === 'win32') return notTried(context, 'the random device', 'Windows has none')
    const bytes = new Uint8Array(64)
    const open = new Set<number>()
    const files = {
      openSync(path: string) {
        const file = fs.openSync(path, 'r')
        open.add(file)
        return file
      },
      readSync: fs.readSync,
      closeSync(file: number) {
        fs.closeSync(file)
        open.delete(file)
      },
    }
    fillRandom(bytes, { process: { versions, getBuiltinModule: () => files }, crypto: { getRandomValues: forbidden } })
    expect(bytes.some(byte => byte !== 0)).toBe(true)
    expect(open.size).toBe(0)
  })

  const shortRead = { openSync: () => 3, readSync: () => 2, closeSync: () => {} }
  it.each([
    ['in a browser', {}],
    [
      'on Deno, which asks before it reads a file',
      { process: { versions: { ...versions, deno: '2.0.0' }, getBuiltinModule: forbidden } },
    ],
    ['on a Node.js without getBuiltinModule', { process: { versions } }],
    [
      'if the device cannot be opened',
      { process: { versions, getBuiltinModule: () => ({ ...fs, openSync: forbidden }) } },
    ],
    ['if the device has too few bytes', { process: { versions, getBuiltinModule: () => shortRead } }],
  ])('fillRandom uses crypto %s', (_, platform) => {
    const bytes = new Uint8Array(4)
    fillRandom(bytes, { ...platform, crypto })
    expect([...bytes]).toEqual([7, 7, 7, 7])
  })
})
