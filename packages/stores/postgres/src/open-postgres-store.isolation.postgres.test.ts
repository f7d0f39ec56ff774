import { ParleyError, type Store } from '@parley/core'
import { describe, expect, inject, it } from 'vitest'
import { createDatabase } from './__fixtures__/open-schema.ts'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const LEVELS = ['read uncommitted', 'read committed', 'repeatable read', 'serializable']
const SESSIONS = 20

/** The code of a rejection, or `kept`. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'kept'
  } catch (error) {
    if (!ParleyError.is(error)) throw error
    return error.code
  }
}

async function openTwo(url: string): Promise<readonly [Store, Store]> {
  const one = await openPostgresStore({ url, connections: 8 })
  return [one, await openPostgresStore({ url, connections: 8 })]
}

describe.each(LEVELS)('a database whose default isolation is %s', level => {
  it('of several first appends from the same point of a session, one is kept', async () => {
    const url = await createDatabase(inject('postgresUrl'), `default_transaction_isolation = '${level}'`)
    const stores = await openTwo(url)
    const first = { worker: 'w', fence: 1, expectedSeq: 0, sessionHead: null }
    const sessions = Array.from({ length: SESSIONS }, (_, index) => `session-${index}`)
    const codes = await Promise.all(
      sessions.map(session =>
        Promise.all(
          [0, 1, 2, 3].map(writer =>
            codeOf(
              (stores[writer % 2] as Store).append({
                ...first,
                runId: `${session}-${writer}`,
                entries: [startedEntry(session)],
              }),
            ),
          ),
        ),
      ),
    )
    const expected = ['kept', 'session-busy', 'session-busy', 'session-busy']
    expect(codes.map(session => session.toSorted())).toEqual(sessions.map(() => expected))
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  it('concurrent appends, claims, commands, notes, workflows and prunes fail only as the contract says', async () => {
    const url = await createDatabase(inject('postgresUrl'), `default_transaction_isolation = '${level}'`)
    const stores = await openTwo(url)
    const [store] = stores
    const by = { runId: 'r', worker: 'w', fence: 1 }
    await store.append({ ...by, expectedSeq: 0, entries: [startedEntry()] })
    const many = Array.from({ length: 12 }, (_, index) => [stores[index % 2] as Store, index] as const)
    const command = { type: 'cancel', reason: { kind: 'user' } } as const
    const codes = await Promise.all(
      many.flatMap(([each, index]) => [
        codeOf(each.append({ ...by, expectedSeq: 1, entries: [saidEntry(2, `${index}`)] })),
        codeOf(each.inbox?.put({ runId: 'r', id: `i${index}`, at: 1, command }) ?? Promise.resolve()),
        codeOf(each.notes?.put({ scope: 's', id: 'n', at: index, text: `note ${index}` }) ?? Promise.resolve()),
        codeOf(each.notes?.search({ scope: 's', query: 'note', usedAt: 1 }) ?? Promise.resolve()),
        codeOf(each.workflows?.put({ scope: 's', name: 'w', at: 1, definition: index }) ?? Promise.resolve()),
        codeOf(each.heartbeat({ worker: 'w', at: index, ttlMs: 1 })),
        codeOf(each.prune?.({ scope: 'other', before: 0 }) ?? Promise.resolve()),
      ]),
    )
    const appends = codes.filter((_, index) => index % 7 === 0)
    expect(appends.toSorted()).toEqual(['kept', ...appends.slice(1).map(() => 'store-conflict')])
    expect(codes.filter((_, index) => index % 7 !== 0)).toEqual(
      many.flatMap(() => Array.from({ length: 6 }, () => 'kept')),
    )
    expect((await store.inbox?.read('r'))?.map(({ position }) => position)).toEqual(many.map((_, index) => index + 1))
    expect(await store.workflows?.versions({ scope: 's', name: 'w' })).toHaveLength(many.length)
    for (const each of stores) await each[Symbol.asyncDispose]()
  })
})
