import type { MemoryPut, MemoryStore } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callMemory, memoryCommand, stepMemory, type MemoryModel } from './memory-model.ts'

/** An open store of notes, and the way to close what it stands on. */
export interface OpenMemory extends AsyncDisposable {
  readonly memory: MemoryStore
}

/**
 * The promises of `MemoryStore`, as tests.
 * @param open Hands back an empty one; the suite disposes it.
 */
export function describeMemoryContract(name: string, open: () => Promise<OpenMemory>): void {
  describe(`${name} keeps the MemoryStore contract`, () => {
    describeNotes(open)
    describeSearch(open)
    describeLaws(open)
  })
}

function describeNotes(open: () => Promise<OpenMemory>): void {
  it('gives a note back as it was put, whatever it says', async () => {
    await using opened = await open()
    const { memory } = opened
    const said = { text: `\u0000 "no"\n\ud800${'é'.repeat(100_000)}`, summary: '\u0000', categories: ['\u0000', 'b'] }
    const note = { id: 'n', ...said, createdAt: 5, updatedAt: 5, uses: 0 }
    expect(await memory.put({ ...at(5), ...said })).toEqual(note)
    expect(await memory.get(key)).toEqual(note)
    expect(await memory.get({ ...key, id: 'other' })).toBeUndefined()
  })

  it('replaces what the note of the same id says, and keeps its uses and when it was created', async () => {
    await using opened = await open()
    const { memory } = opened
    await memory.put({ ...at(1), text: 'green tea', summary: 'tea', categories: ['food'] })
    await memory.search({ scope: 'scope', query: 'green', usedAt: 3 })
    const note = { id: 'n', text: 'coffee', categories: [], createdAt: 1, updatedAt: 7, uses: 1, lastUsedAt: 3 }
    expect(await memory.put({ ...at(7), text: 'coffee' })).toEqual(note)
    expect(await memory.list({ scope: 'scope' })).toEqual([note])
    expect(await ids(memory.search({ scope: 'scope', query: 'tea food' }))).toEqual([])
    expect(await ids(memory.search({ scope: 'scope', query: 'coffee' }))).toEqual(['n'])
  })

  it('changes the fields that are given under the same id, and finds the note by what it says then', async () => {
    await using opened = await open()
    const { memory } = opened
    await memory.put({ ...at(1), text: 'green tea', summary: 'tea', categories: ['food'] })
    const changed = {
      id: 'n',
      text: 'coffee',
      summary: 'tea',
      categories: ['food'],
      createdAt: 1,
      updatedAt: 4,
      uses: 0,
    }
    expect(await memory.update({ ...key, at: 4, text: 'coffee' })).toEqual(changed)
    expect(await memory.get(key)).toEqual(changed)
    expect(await ids(memory.search({ scope: 'scope', query: 'green' }))).toEqual([])
    expect(await ids(memory.search({ scope: 'scope', query: 'coffee' }))).toEqual(['n'])
    expect(await memory.update({ ...key, at: 5, summary: undefined, categories: ['drinks'] })).toMatchObject({
      summary: 'tea',
      categories: ['drinks'],
    })
    expect(await memory.update({ ...key, id: 'other', at: 9, text: 'x' })).toBeUndefined()
    expect(await memory.list({ scope: 'scope' })).toHaveLength(1)
  })

  it('loses no field when two are changed at once', async () => {
    await using opened = await open()
    const { memory } = opened
    for (let round = 0; round < 10; round++) {
      await memory.put({ ...at(1), text: 'x' })
      const changes = [{ text: 'y' }, { summary: 'short' }, { categories: ['c'] }]
      await Promise.all(changes.map(change => memory.update({ ...key, at: 2, ...change })))
      expect(await memory.get(key)).toMatchObject({ text: 'y', summary: 'short', categories: ['c'] })
    }
  })

  it('removes a note once, and says whether there was one', async () => {
    await using opened = await open()
    const { memory } = opened
    await memory.put({ ...at(1), text: 'tea' })
    expect(await memory.remove(key)).toBe(true)
    expect(await memory.remove(key)).toBe(false)
    expect(await memory.get(key)).toBeUndefined()
    expect(await memory.search({ scope: 'scope', query: 'tea' })).toEqual([])
  })

  it('lists what was updated last first, by id within one moment, and 50 unless told otherwise', async () => {
    await using opened = await open()
    const { memory } = opened
    for (const [id, time] of [
      ['a', 2],
      ['c', 1],
      ['b', 2],
    ] as const) {
      await memory.put({ ...at(time), id, text: id })
    }
    expect(await ids(memory.list({ scope: 'scope' }))).toEqual(['b', 'a', 'c'])
    expect(await ids(memory.list({ scope: 'scope', limit: 1 }))).toEqual(['b'])
    for (let index = 0; index < 50; index++) await memory.put({ ...at(3), id: `n${index}`, text: 'x' })
    expect(await memory.list({ scope: 'scope' })).toHaveLength(50)
  })

  it('shows and changes nothing of another scope', async () => {
    await using opened = await open()
    const { memory } = opened
    await memory.put({ ...at(1), text: 'tea' })
    const theirs = { scope: 'other', id: 'n' }
    expect(await memory.get(theirs)).toBeUndefined()
    expect(await memory.list({ scope: 'other' })).toEqual([])
    expect(await memory.search({ scope: 'other', query: 'tea' })).toEqual([])
    expect(await memory.update({ ...theirs, at: 2, text: 'x' })).toBeUndefined()
    expect(await memory.remove(theirs)).toBe(false)
    await memory.put({ ...theirs, at: 2, text: 'coffee' })
    expect(await memory.get(key)).toMatchObject({ text: 'tea' })
    expect(await ids(memory.search({ scope: 'scope', query: 'tea' }))).toEqual(['n'])
  })
}

function describeSearch(open: () => Promise<OpenMemory>): void {
  it('finds a note by its text, its summary and its categories, whatever the case and accents', async () => {
    await using opened = await open()
    const { memory } = opened
    await memory.put({ ...at(1), text: 'Prefers the Café', summary: 'Breakfast', categories: ['Habits'] })
    for (const query of ['cafe', 'CAFÉ', 'breakfast', 'habits', 'prefer', 'x cafe y']) {
      expect(await ids(memory.search({ scope: 'scope', query }))).toEqual(['n'])
    }
    for (const query of ['ca', 'cafes', 'not', '', '%', '*', '"']) {
      expect(await memory.search({ scope: 'scope', query })).toEqual([])
    }
  })

  it('takes what a query says for words and nothing else', async () => {
    await using opened = await open()
    const { memory } = opened
    await memory.put({ ...at(1), text: 'NOT near AND or it’s 100% "quoted" text_with:colon' })
    for (const query of ['NOT', 'AND OR NOT', '"quoted', 'text_with:colon*', `it's`, '100%', '(near', "x' or 1=1 --"]) {
      expect(await ids(memory.search({ scope: 'scope', query }))).toEqual(['n'])
    }
  })

  it('puts a rare word before common ones, more words before fewer, and the newest first among equals', async () => {
    await using opened = await open()
    const { memory } = opened
    const texts = ['what is the plan', 'what is the time', 'what is the end', 'favourite colour: green', 'green tea']
    for (const [index, text] of texts.entries()) await memory.put({ ...at(index), id: `n${index}`, text })
    const search = (query: string) => ids(memory.search({ scope: 'scope', query }))
    expect(await search('what is the favourite colour')).toEqual(['n3', 'n2', 'n1', 'n0'])
    expect(await search('green colour')).toEqual(['n3', 'n4'])
    expect(await search('green')).toEqual(['n4', 'n3'])
  })

  it('looks for the best of the scope, however much better others match', async () => {
    await using opened = await open()
    const { memory } = opened
    for (let index = 0; index < 20; index++)
      await memory.put({ scope: 'other', id: `n${index}`, at: 9, text: 'tea tea' })
    await memory.put({ ...at(1), text: 'a word about tea' })
    expect(await ids(memory.search({ scope: 'scope', query: 'tea', limit: 1 }))).toEqual(['n'])
  })

  it('finds at most 5 unless told otherwise, and takes long queries and long notes', async () => {
    await using opened = await open()
    const { memory } = opened
    const long = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ')
    for (let index = 0; index < 8; index++) await memory.put({ ...at(index), id: `n${index}`, text: long })
    expect(await ids(memory.search({ scope: 'scope', query: 'word2999' }))).toEqual(['n7', 'n6', 'n5', 'n4', 'n3'])
    expect(await memory.search({ scope: 'scope', query: `x${long}`, limit: 7 })).toHaveLength(7)
    await memory.put({ ...at(1), id: 'blob', text: 'y'.repeat(100_000) })
    expect(await ids(memory.search({ scope: 'scope', query: 'y'.repeat(64) }))).toEqual(['blob'])
  })

  it('counts a use of what it finds, and of nothing else, when it is told the time', async () => {
    await using opened = await open()
    const { memory } = opened
    await memory.put({ ...at(1), id: 'a', text: 'tea' })
    await memory.put({ ...at(2), id: 'b', text: 'tea' })
    await memory.put({ ...at(3), id: 'c', text: 'coffee' })
    await memory.search({ scope: 'scope', query: 'tea' })
    const found = await memory.search({ scope: 'scope', query: 'tea', limit: 1, usedAt: 9 })
    expect(found).toEqual([
      { id: 'b', text: 'tea', categories: [], createdAt: 2, updatedAt: 2, uses: 1, lastUsedAt: 9 },
    ])
    expect((await memory.list({ scope: 'scope' })).map(({ uses }) => uses)).toEqual([0, 1, 0])
  })
}

function describeLaws(open: () => Promise<OpenMemory>): void {
  it('answers any sequence of calls as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(memoryCommand, { maxLength: 30 }), async commands => {
        await using opened = await open()
        let model: MemoryModel = {}
        for (const command of commands) {
          const step = stepMemory(model, command)
          expect(await callMemory(opened.memory, command)).toEqual(step.answer)
          model = step.model
        }
      }),
      { numRuns: 60 },
    )
  })
}

const key = { scope: 'scope', id: 'n' }

function at(time: number): Pick<MemoryPut, 'scope' | 'id' | 'at'> {
  return { ...key, at: time }
}

async function ids(notes: Promise<readonly { readonly id: string }[]>): Promise<readonly string[]> {
  return (await notes).map(({ id }) => id)
}
