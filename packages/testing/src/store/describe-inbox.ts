import type { PutRequest, RunCommand, RunInbox, Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { endedEntry, resumedEntry, saidEntry, startedEntry, suspendedEntry } from './sample-entry.ts'

/** What a store promises through which others reach the driver of a run. */
export function describeInbox(open: () => Promise<Store>): void {
  describe('when others can leave word for a run', () => {
    describeItems(open)
    describeEnds(open)
    describeInboxWatch(open)
  })
}

function describeItems(open: () => Promise<Store>): void {
  it('keeps commands whole and in the order they came, each run’s apart', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
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

  it('takes items together with the entries that tell of them, or not at all', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
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

  it('knows an item that is put again, also once it is taken', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
    await begin(store, 'r')
    await Promise.all([inbox.put(put('r', 'a')), inbox.put(put('r', 'a')), inbox.put(put('r', 'b'))])
    expect(await inbox.read('r')).toHaveLength(2)
    await store.append({ ...by, runId: 'r', expectedSeq: 1, entries: [saidEntry('both')], taken: 2 })
    expect(await inbox.put(put('r', 'a'))).toBe('running')
    expect(await inbox.read('r')).toEqual([])
  })

  it('numbers items without gaps, however many put at once', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
    await begin(store, 'r')
    const ids = Array.from({ length: 20 }, (_, index) => `i${index}`)
    await Promise.all(ids.map(id => inbox.put(put('r', id))))
    const items = await inbox.read('r')
    expect(items.map(({ position }) => position)).toEqual(ids.map((_, index) => index + 1))
    expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })
}

function describeEnds(open: () => Promise<Store>): void {
  it('lets no run end or wait for a person before it has taken everything', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
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

  it('lets a run go with what it has not read', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
    await begin(store, 'r')
    await inbox.put(put('r', 'a'))
    await store.append({ ...by, runId: 'r', expectedSeq: 1, entries: [suspendedEntry({ reason: 'shutdown' })] })
    expect(await inbox.read('r')).toHaveLength(1)
  })

  it('takes nothing for a run that is over or does not exist', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
    await expect(inbox.put(put('r', 'a'))).rejects.toMatchObject({ info: { code: 'run-unknown', runId: 'r' } })
    await begin(store, 'r')
    await inbox.put(put('r', 'a'))
    await store.append({ ...by, runId: 'r', expectedSeq: 1, entries: [endedEntry()], taken: 1 })
    await expect(inbox.put(put('r', 'b'))).rejects.toMatchObject({ info: { code: 'run-ended', runId: 'r' } })
    expect(await inbox.put(put('r', 'a'))).toBe('cancelled')
  })

  it('gives the items to whoever claims the run', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
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
  it('tells every watcher of a run that something was put for, and nobody who has stopped', async ({ skip }) => {
    await using store = await open()
    const inbox = store.inbox ?? skip('they cannot')
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
