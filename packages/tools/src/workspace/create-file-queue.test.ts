import { expect, it } from 'vitest'
import { createFileQueue } from './create-file-queue.ts'

const found = { path: '/a', shown: 'a', exists: true }

it('the queue keeps the order of the calls if a later call resolves its path first', async () => {
  const queue = createFileQueue()
  const slow = Promise.withResolvers<typeof found>()
  const done: string[] = []
  const first = queue.run(slow.promise, async () => done.push('first'))
  const second = queue.run(Promise.resolve(found), async () => done.push('second'))
  slow.resolve(found)
  await Promise.all([first, second])
  expect(done).toEqual(['first', 'second'])
})

it('the queue continues after a path that cannot be resolved and after work that fails', async () => {
  const queue = createFileQueue()
  const refused = queue.run(Promise.reject(new Error('no path')), async () => 'never')
  const failed = queue.run(Promise.resolve(found), () => Promise.reject(new Error('no space')))
  const last = queue.run(Promise.resolve(found), async () => 'written')
  await expect(refused).rejects.toThrow('no path')
  await expect(failed).rejects.toThrow('no space')
  expect(await last).toBe('written')
})
