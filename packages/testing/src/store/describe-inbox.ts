import type { PutRequest, RunCommand, RunInbox, Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { endedEntry, resumedEntry, saidEntry, startedEntry, suspendedEntry } from './sample-entry.ts'

/** Tests the inbox of a store. */
export function describeInbox(open: () => Promise<Store>): void {
  describe('with an inbox', () => {
    describeItems(open)
    describeEnds(open)
    describeInboxWatch(open)
  })
}

function describeItems(open: () => Promise<Store>): void {
  it('an inbox keeps the commands of each run complete and in order', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'a')
    await begin(store, 'b')
    const commands = [steer('one\u0000"two"'), cancel, decide]
    for (const [index, command] of commands.entries()) {
      expect(await inbox.put(put('a', `i${index}`, { command, at: 10 - index }))).toBe('running')
    }
    await inbox.put(put('b', 'i0'))
    expect(await inbox.read('a')).toEqual(
      commands.map((command, index) => ({ position: index + 1, id: `i${index}`, at: 10 - index, command })),
    )
    expect(await inbox.read('b')).toMatchObject([{ position: 1, id: 'i0' }])
    expect(await inbox.read('nobody')).toEqual([])
    expect(await store.run('a')).toMatchObject({ seq: 1, updatedAt: 1_000 })
  })

  it('an append takes items together with its entries, or not at all', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'r')
    for (const id of ['a', 'b', 'c']) await inbox.put(put('r', id))
    const take = { ...by, runId: 'r', expectedSeq: 1, entries: [saidEntry('a and b')] }
    await expect(store.append({ ...take, fence: 7, taken: 2 })).rejects.toMatchObject({
      info: { code: 'store-fenced' },
    })
    await expect(store.append({ ...take, taken: 4 })).rejects.toMatchObject({ info: { code: 'internal' } })
    expect(await inbox.read('r')).toHaveLength(3)
    await store.append({ ...take, taken: 2 })
    expect(await inbox.read('r')).toMatchObject([{ position: 3, id: 'c' }])
    const back = { ...take, expectedSeq: 2, entries: [saidEntry('again', { seq: 3 })], taken: 1 }
    await expect(store.append(back)).rejects.toMatchObject({ info: { code: 'internal' } })
    await store.append({ ...back, taken: undefined })
    expect(await inbox.read('r')).toMatchObject([{ id: 'c' }])
  })

  it('an inbox ignores an item that is put again, even after it was taken', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'r')
    await Promise.all([inbox.put(put('r', 'a')), inbox.put(put('r', 'a')), inbox.put(put('r', 'b'))])
    expect(await inbox.read('r')).toHaveLength(2)
    await store.append({ ...by, runId: 'r', expectedSeq: 1, entries: [saidEntry('both')], taken: 2 })
    expect(await inbox.put(put('r', 'a'))).toBe('running')
    expect(await inbox.read('r')).toEqual([])
  })

  it('concurrent puts number the items of an inbox without gaps', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'r')
    const ids = Array.from({ length: 20 }, (_, index) => `i${index}`)
    await Promise.all(ids.map(id => inbox.put(put('r', id))))
    const items = await inbox.read('r')
    expect(items.map(({ position }) => position)).toEqual(ids.map((_, index) => index + 1))
    expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })
}

function describeEnds(open: () => Promise<Store>): void {
  it('a run cannot end or be suspended for approval before it has taken every item', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'r')
    await inbox.put(put('r', 'a'))
    const next = { ...by, runId: 'r', expectedSeq: 1 }
    for (const entry of [endedEntry(), suspendedEntry()]) {
      const early = store.append({ ...next, entries: [entry] })
      await expect(early).rejects.toMatchObject({ info: { code: 'inbox-unread', runId: 'r' } })
    }
    expect(await store.read('r')).toHaveLength(1)
    await store.append({ ...next, entries: [saidEntry('a'), suspendedEntry({ seq: 3 })], taken: 1 })
    expect(await inbox.put(put('r', 'b'))).toBe('suspended')
    await store.append({ ...next, expectedSeq: 3, entries: [resumedEntry({ seq: 4 })] })
    const end = { ...next, expectedSeq: 4, entries: [endedEntry({ seq: 5 })] }
    await expect(store.append(end)).rejects.toMatchObject({ info: { code: 'inbox-unread' } })
    await store.append({ ...end, taken: 2 })
    expect(await store.run('r')).toMatchObject({ status: 'cancelled', seq: 5 })
  })

  it('a suspended run cannot be suspended again before it has taken every item', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await store.append({ ...by, runId: 'r', expectedSeq: 0, entries: [startedEntry(), suspendedEntry()] })
    await inbox.put(put('r', 'one'))
    const again = { ...by, runId: 'r', expectedSeq: 2, entries: [suspendedEntry({ seq: 3 })] }
    await expect(store.append(again)).rejects.toMatchObject({ info: { code: 'inbox-unread', runId: 'r' } })
    await store.append({ ...again, taken: 1 })
    expect(await store.read('r')).toHaveLength(3)
  })

  it('a run can be released with unread items', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'r')
    await inbox.put(put('r', 'a'))
    await store.append({ ...by, runId: 'r', expectedSeq: 1, entries: [suspendedEntry({ reason: 'shutdown' })] })
    expect(await inbox.read('r')).toHaveLength(1)
  })

  it('an inbox rejects items for an ended or unknown run', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await expect(inbox.put(put('r', 'a'))).rejects.toMatchObject({ info: { code: 'run-unknown', runId: 'r' } })
    await begin(store, 'r')
    await inbox.put(put('r', 'a'))
    await store.append({ ...by, runId: 'r', expectedSeq: 1, entries: [endedEntry()], taken: 1 })
    await expect(inbox.put(put('r', 'b'))).rejects.toMatchObject({ info: { code: 'run-ended', runId: 'r' } })
    expect(await inbox.put(put('r', 'a'))).toBe('cancelled')
  })

  it('only the worker with the last claim can take items', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'r')
    await inbox.put(put('r', 'a'))
    await store.claim({ runId: 'r', worker: 'other', at: 0 })
    const take = { runId: 'r', expectedSeq: 1, entries: [saidEntry('a')], taken: 1 }
    await expect(store.append({ ...by, ...take })).rejects.toMatchObject({ info: { code: 'store-fenced' } })
    await store.append({ ...take, worker: 'other', fence: 2 })
    expect(await inbox.read('r')).toEqual([])
  })
}

function describeInboxWatch(open: () => Promise<Store>): void {
  it('an inbox notifies every open watch of a put, and no disposed watch', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'a')
    await begin(store, 'b')
    const first = await watching(inbox)
    const second = await watching(inbox)
    await inbox.put(put('a', 'one'))
    await Promise.all([first.heard('a'), second.heard('a')])
    await second.stop()
    const before = second.ids.length
    await inbox.put(put('b', 'one'))
    await first.heard('b')
    expect(second.ids).toHaveLength(before)
    await first.stop()
  })

  it('an inbox tells each watch that begins of the runs whose commands were not taken', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    for (const runId of ['read', 'unread']) {
      await begin(store, runId)
      await inbox.put(put(runId, 'one'))
    }
    await store.append({ ...by, runId: 'read', expectedSeq: 1, taken: 1, entries: [saidEntry('taken')] })
    const first = await watching(inbox)
    await first.heard('unread')
    const second = await watching(inbox)
    await second.heard('unread')
    for (const { stop } of [first, second]) await stop()
    const third = await watching(inbox)
    await third.heard('unread')
    await third.stop()
    expect([first, second, third].flatMap(({ ids }) => ids)).not.toContain('read')
  })

  it('a listener of an inbox that is given twice is called twice', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('the store has no inbox')
    await begin(store, 'a')
    await begin(store, 'b')
    const ids: string[] = []
    const twice = Promise.withResolvers<void>()
    const listener = (runId: string): void => {
      if (ids.push(runId) === 2) twice.resolve()
    }
    const watches = [await inbox.watch(listener), await inbox.watch(listener)]
    await inbox.put(put('a', 'one'))
    await twice.promise
    expect(ids.slice(0, 2)).toEqual(['a', 'a'])
    for (const watch of watches) await watch[Symbol.asyncDispose]()
    const before = ids.length
    await inbox.put(put('b', 'one'))
    expect(ids).toHaveLength(before)
  })
}

const by = { worker: 'w', fence: 1 }
const cancel: RunCommand = { type: 'cancel', reason: { kind: 'user', detail: 'enough' } }
const decide: RunCommand = {
  type: 'decide',
  approvalId: 'p',
  decision: { type: 'modified', input: { sum: 1 } },
  by: { id: 'ada', roles: ['boss'] },
}

function steer(text: string): RunCommand {
  return { type: 'message', kind: 'steering', message: { role: 'user', content: [{ type: 'text', text }] } }
}

function put(runId: string, id: string, { at = 1, command = steer(id) }: Partial<PutRequest> = {}): PutRequest {
  return { runId, id, at, command }
}

async function begin(store: Store, runId: string): Promise<void> {
  await store.append({ ...by, runId, expectedSeq: 0, entries: [startedEntry()] })
}

async function watching(inbox: RunInbox) {
  const ids: string[] = []
  let told = Promise.withResolvers<void>()
  const watch = await inbox.watch(runId => {
    ids.push(runId)
    told.resolve()
  })
  return {
    ids,
    heard: async (runId: string): Promise<void> => {
      while (!ids.includes(runId)) {
        told = Promise.withResolvers()
        await told.promise
      }
    },
    stop: () => watch[Symbol.asyncDispose](),
  }
}
