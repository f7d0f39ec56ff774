import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileTokenStore } from './file-token-store.ts'
import { createMemoryTokenStore } from './memory-token-store.ts'
import type { McpTokenStore } from './mcp-token-store.ts'

interface Place extends AsyncDisposable {
  readonly path: string
}

async function openPlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-tokens-'))
  return {
    path: join(directory, 'deep', 'tokens.json'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

const credentials = (token: string): object => ({ tokens: { access_token: token, token_type: 'Bearer' } })

it.each([
  ['memory', () => createMemoryTokenStore()],
  ['a file', (path: string) => createFileTokenStore(path)],
] as const)(
  'a token store in %s keeps, replaces and deletes credentials',
  async (_, create: (path: string) => McpTokenStore) => {
    await using place = await openPlace()
    const store = create(place.path)
    expect(await store.read('a')).toBeUndefined()
    await Promise.all([store.write('a', credentials('1')), store.write('b', credentials('2'))])
    await store.write('a', credentials('3'))
    expect([await store.read('a'), await store.read('b')]).toEqual([credentials('3'), credentials('2')])
    await store.write('a', undefined)
    expect([await store.read('a'), await store.read('b')]).toEqual([undefined, credentials('2')])
  },
)

it('only the owner can read the token file, and no other file is left beside it', async () => {
  await using place = await openPlace()
  const store = createFileTokenStore(place.path)
  await store.exclusively('a', () => store.write('a', credentials('1')))
  expect((await stat(place.path)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(place.path, '..'))).toEqual(['tokens.json'])
})

it('two stores on one file, as in two processes, take turns', async () => {
  await using place = await openPlace()
  const stores = [createFileTokenStore(place.path), createFileTokenStore(place.path)]
  let running = 0
  let most = 0
  const work = async (): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await new Promise(resolve => setTimeout(resolve, 10))
    running -= 1
  }
  await Promise.all([...stores, ...stores, ...stores].map(store => store.exclusively('a', work)))
  expect(most).toBe(1)
  await Promise.all(stores.map((store, index) => store.write(`k${index}`, credentials(String(index)))))
  expect([await stores[0]?.read('k1'), await stores[1]?.read('k0')]).toEqual([credentials('1'), credentials('0')])
})

it('exclusive work that fails releases the lock', async () => {
  await using place = await openPlace()
  const store = createFileTokenStore(place.path)
  await expect(store.exclusively('a', () => Promise.reject(new Error('boom')))).rejects.toThrow('boom')
  expect(await store.exclusively('a', async () => 7)).toBe(7)
})

it('the lock of a dead process is ignored after a minute', async () => {
  await using place = await openPlace()
  const store = createFileTokenStore(place.path)
  await store.write('a', credentials('1'))
  const lock = `${place.path}.lock`
  await writeFile(lock, '')
  const old = new Date(performance.timeOrigin + performance.now() - 61_000)
  await utimes(lock, old, old)
  expect(await store.exclusively('a', async () => 7)).toBe(7)
})

it('a token file with other contents is rejected with file-unreadable', async () => {
  await using place = await openPlace()
  const store = createFileTokenStore(place.path)
  await store.write('a', credentials('1'))
  await writeFile(place.path, '[1')
  await expect(store.read('a')).rejects.toMatchObject({ info: { code: 'file-unreadable', path: place.path } })
  await writeFile(place.path, '[]')
  await expect(store.write('a', undefined)).rejects.toMatchObject({ info: { code: 'file-unreadable' } })
})
