import type { RunQuery, RunRecord, Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { endedEntry, saidEntry, startedEntry } from './sample-entry.ts'

/** Tests what the records of runs show, and how lists of runs are selected and paged. */
export function describeRunLists(open: () => Promise<Store>): void {
  describe('with lists of runs', () => {
    describePreviews(open)
    describeSelection(open)
  })
}

function describePreviews(open: () => Promise<Store>): void {
  it('the preview of a run is the first message of its input in one line, also if a later append begins it', async () => {
    await using store = await open()
    await start(store, 'r', { at: 1 })
    expect((await store.run('r'))?.preview).toBeUndefined()
    const said = [saidEntry('  Book a\n\ttable\0 for two ', { seq: 2 }), saidEntry('and wine', { seq: 3 })]
    await store.append({ runId: 'r', worker: 'w', fence: 1, expectedSeq: 1, entries: said.slice(0, 1) })
    await store.append({ runId: 'r', worker: 'w', fence: 1, expectedSeq: 2, entries: said.slice(1) })
    expect(await store.run('r')).toMatchObject({ preview: 'Book a table for two', model: 'test/model', seq: 3 })
    expect(await idsOf(store, { text: 'table' })).toEqual(['r'])
    expect(await idsOf(store, { text: 'wine' })).toEqual([])
  })

  it('a long preview is cut at 200 characters, and no character is split', async () => {
    await using store = await open()
    await start(store, 'r', { at: 1, text: '😀'.repeat(300) })
    const { preview = '' } = (await store.run('r')) ?? {}
    expect(Array.from(preview)).toHaveLength(200)
    expect(preview).toBe(`${'😀'.repeat(199)}…`)
  })
}

function describeSelection(open: () => Promise<Store>): void {
  it('runs can be listed by the words of their preview, whatever their case, order and accents', async () => {
    await using store = await open()
    await start(store, 'a', { at: 1, text: 'Book a table at the Café' })
    await start(store, 'b', { at: 2, text: 'Cancel the table' })
    await start(store, 'c', { at: 3, text: 'a table, a TABLE' })
    await start(store, 'd', { at: 4, text: 'table', scope: 'other' })
    expect(await idsOf(store, { text: 'table' })).toEqual(['c', 'b', 'a'])
    expect(await idsOf(store, { text: 'cafe TABLE' })).toEqual(['a'])
    expect(await idsOf(store, { text: 'tab' })).toEqual([])
    expect(await idsOf(store, { text: 'table nobody' })).toEqual([])
    expect(await idsOf(store, { text: ' ?! ' })).toEqual(['c', 'b', 'a'])
    expect(await idsOf(store, { text: 'table', limit: 1, after: { startedAt: 3, runId: 'c' } })).toEqual(['b'])
    expect(await idsOf(store, { text: 'table', since: 2, until: 3 })).toEqual(['b'])
  })

  it('runs can be listed by the time of their start and without child runs', async () => {
    await using store = await open()
    for (const [runId, at] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      await start(store, runId, { at })
    await start(store, 'd', { at: 4, relation: 'sub-agent' })
    expect(await idsOf(store, { since: 2 })).toEqual(['d', 'c', 'b'])
    expect(await idsOf(store, { until: 2 })).toEqual(['a'])
    expect(await idsOf(store, { since: 2, until: 4, roots: true })).toEqual(['c', 'b'])
    expect(await idsOf(store, { roots: true })).toEqual(['c', 'b', 'a'])
    expect(await idsOf(store, { roots: false })).toEqual(['d', 'c', 'b', 'a'])
  })

  it('pages that begin after the last run of the page before show each run once, also runs of the same time', async () => {
    await using store = await open()
    for (const [index, runId] of ['e', 'a', 'd', 'b', 'c'].entries()) {
      await start(store, runId, { at: index < 3 ? 1 : 2, text: 'word', agent: index === 1 ? 'other' : 'agent' })
    }
    for (const query of [{}, { text: 'word' }, { status: 'running' as const }]) {
      const seen: string[] = []
      let after: RunRecord | undefined
      do {
        const page: readonly RunRecord[] = await store.runs({ scope: 'scope', ...query, limit: 2, after })
        after = page.at(-1)
        seen.push(...page.map(({ runId }) => runId))
      } while (after !== undefined)
      expect(seen).toEqual(['c', 'b', 'e', 'd', 'a'])
    }
    expect(await idsOf(store, { agent: 'agent', after: { startedAt: 1, runId: 'e' } })).toEqual(['d'])
  })

  it('prune removes a run from the lists by words', async ({ skip }) => {
    await using store = await open()
    if (store.prune === undefined) return skip('the store cannot prune')
    await start(store, 'r', { at: 1, text: 'gone' })
    const ended = endedEntry({ seq: 3, at: 2 })
    await store.append({ runId: 'r', worker: 'w', fence: 1, expectedSeq: 2, entries: [ended] })
    await store.prune({ scope: 'scope', before: 10 })
    expect(await idsOf(store, { text: 'gone' })).toEqual([])
    await start(store, 'r', { at: 1, text: 'gone' })
    expect(await idsOf(store, { text: 'gone' })).toEqual(['r'])
  })
}

interface Start extends Partial<ReturnType<typeof startedEntry>> {
  readonly text?: string
}

async function start(store: Store, runId: string, { text, ...from }: Start): Promise<void> {
  const said = text === undefined ? [] : [saidEntry(text)]
  await store.append({
    runId,
    worker: 'w',
    fence: 1,
    expectedSeq: 0,
    entries: [{ ...startedEntry(), ...from }, ...said],
  })
}

async function idsOf(store: Store, query: Partial<RunQuery>): Promise<string[]> {
  return (await store.runs({ scope: 'scope', ...query })).map(({ runId }) => runId)
}
