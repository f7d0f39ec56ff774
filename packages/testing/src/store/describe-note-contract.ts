import type { NotePut, NoteStore } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rejectAll } from './describe-signals.ts'
import { callNotes, noteCommand, stepNotes, type NoteModel } from './note-model.ts'
import { SUITE_TIMEOUT_MS } from './suite-timeout.ts'

/** A note store under test. Disposing it closes the store behind it. */
export interface OpenNotes extends AsyncDisposable {
  readonly notes: NoteStore
}

/**
 * Tests every promise of `NoteStore`.
 * @param open Opens an empty store. The suite disposes it.
 */
export function describeNoteContract(name: string, open: () => Promise<OpenNotes>): void {
  describe(`${name} keeps the NoteStore contract`, { timeout: SUITE_TIMEOUT_MS }, () => {
    describeNotes(open)
    describeNoteSignals(open)
    describeSearch(open)
    describeLaws(open)
  })
}

function describeNotes(open: () => Promise<OpenNotes>): void {
  it('the store returns a note as it was put, with any text', async () => {
    await using opened = await open()
    const { notes } = opened
    const said = { text: `\u0000 "no"\n\ud800${'é'.repeat(100_000)}`, summary: '\u0000', categories: ['\u0000', 'b'] }
    const note = { id: 'n', ...said, createdAt: 5, updatedAt: 5, uses: 0 }
    expect(await notes.put({ ...at(5), ...said })).toEqual(note)
    expect(await notes.get(key)).toEqual(note)
    expect(await notes.get({ ...key, id: 'other' })).toBeUndefined()
  })

  it('put replaces the content of a note with the same id and keeps its uses and createdAt', async () => {
    await using opened = await open()
    const { notes } = opened
    await notes.put({ ...at(1), text: 'green tea', summary: 'tea', categories: ['food'] })
    await notes.search({ scope: 'scope', query: 'green', usedAt: 3 })
    const note = { id: 'n', text: 'coffee', categories: [], createdAt: 1, updatedAt: 7, uses: 1, lastUsedAt: 3 }
    expect(await notes.put({ ...at(7), text: 'coffee' })).toEqual(note)
    expect(await notes.list({ scope: 'scope' })).toEqual([note])
    expect(await ids(notes.search({ scope: 'scope', query: 'tea food' }))).toEqual([])
    expect(await ids(notes.search({ scope: 'scope', query: 'coffee' }))).toEqual(['n'])
  })

  it('update changes the given fields, and a search finds the note by its new content', async () => {
    await using opened = await open()
    const { notes } = opened
    await notes.put({ ...at(1), text: 'green tea', summary: 'tea', categories: ['food'] })
    const changed = {
      id: 'n',
      text: 'coffee',
      summary: 'tea',
      categories: ['food'],
      createdAt: 1,
      updatedAt: 4,
      uses: 0,
    }
    expect(await notes.update({ ...key, at: 4, text: 'coffee' })).toEqual(changed)
    expect(await notes.get(key)).toEqual(changed)
    expect(await ids(notes.search({ scope: 'scope', query: 'green' }))).toEqual([])
    expect(await ids(notes.search({ scope: 'scope', query: 'coffee' }))).toEqual(['n'])
    expect(await notes.update({ ...key, at: 5, summary: undefined, categories: ['drinks'] })).toMatchObject({
      summary: 'tea',
      categories: ['drinks'],
    })
    expect(await notes.update({ ...key, id: 'other', at: 9, text: 'x' })).toBeUndefined()
    expect(await notes.list({ scope: 'scope' })).toHaveLength(1)
  })

  it('concurrent updates of different fields lose no change', async () => {
    await using opened = await open()
    const { notes } = opened
    for (let round = 0; round < 10; round++) {
      await notes.put({ ...at(1), text: 'x' })
      const changes = [{ text: 'y' }, { summary: 'short' }, { categories: ['c'] }]
      await Promise.all(changes.map(change => notes.update({ ...key, at: 2, ...change })))
      expect(await notes.get(key)).toMatchObject({ text: 'y', summary: 'short', categories: ['c'] })
    }
  })

  it('the store removes a note once and returns whether the id was known', async () => {
    await using opened = await open()
    const { notes } = opened
    await notes.put({ ...at(1), text: 'tea' })
    expect(await notes.remove(key)).toBe(true)
    expect(await notes.remove(key)).toBe(false)
    expect(await notes.get(key)).toBeUndefined()
    expect(await notes.search({ scope: 'scope', query: 'tea' })).toEqual([])
  })

  it('the store lists the last updated notes first, and at most 50 by default', async () => {
    await using opened = await open()
    const { notes } = opened
    for (const [id, time] of [
      ['a', 2],
      ['c', 1],
      ['b', 2],
    ] as const) {
      await notes.put({ ...at(time), id, text: id })
    }
    expect(await ids(notes.list({ scope: 'scope' }))).toEqual(['b', 'a', 'c'])
    expect(await ids(notes.list({ scope: 'scope', limit: 1 }))).toEqual(['b'])
    for (let index = 0; index < 50; index++) await notes.put({ ...at(3), id: `n${index}`, text: 'x' })
    expect(await notes.list({ scope: 'scope' })).toHaveLength(50)
  })

  it('no call reads or changes notes of another scope', async () => {
    await using opened = await open()
    const { notes } = opened
    await notes.put({ ...at(1), text: 'tea' })
    const theirs = { scope: 'other', id: 'n' }
    expect(await notes.get(theirs)).toBeUndefined()
    expect(await notes.list({ scope: 'other' })).toEqual([])
    expect(await notes.search({ scope: 'other', query: 'tea' })).toEqual([])
    expect(await notes.update({ ...theirs, at: 2, text: 'x' })).toBeUndefined()
    expect(await notes.remove(theirs)).toBe(false)
    await notes.put({ ...theirs, at: 2, text: 'coffee' })
    expect(await notes.get(key)).toMatchObject({ text: 'tea' })
    expect(await ids(notes.search({ scope: 'scope', query: 'tea' }))).toEqual(['n'])
  })
}

function describeNoteSignals(open: () => Promise<OpenNotes>): void {
  it('every call rejects with the reason of a signal that is aborted before it, and changes nothing', async () => {
    await using opened = await open()
    const { notes } = opened
    const note = await notes.put({ ...at(1), text: 'tea' })
    await rejectAll([
      options => notes.put({ ...at(2), text: 'coffee' }, options),
      options => notes.get(key, options),
      options => notes.update({ ...key, at: 2, text: 'coffee' }, options),
      options => notes.remove(key, options),
      options => notes.list({ scope: 'scope' }, options),
      options => notes.search({ scope: 'scope', query: 'tea', usedAt: 2 }, options),
    ])
    expect(await notes.list({ scope: 'scope' })).toEqual([note])
  })
}

function describeSearch(open: () => Promise<OpenNotes>): void {
  it('a search finds a note by text, summary and categories and ignores case and accents', async () => {
    await using opened = await open()
    const { notes } = opened
    await notes.put({ ...at(1), text: 'Prefers the Café', summary: 'Breakfast', categories: ['Habits'] })
    for (const query of ['cafe', 'CAFÉ', 'breakfast', 'habits', 'prefer', 'x cafe y']) {
      expect(await ids(notes.search({ scope: 'scope', query }))).toEqual(['n'])
    }
    for (const query of ['ca', 'cafes', 'not', '', '%', '*', '"']) {
      expect(await notes.search({ scope: 'scope', query })).toEqual([])
    }
  })

  it('a search treats operators and quotes of a query as plain text', async () => {
    await using opened = await open()
    const { notes } = opened
    await notes.put({ ...at(1), text: 'NOT near AND or it’s 100% "quoted" text_with:colon' })
    for (const query of ['NOT', 'AND OR NOT', '"quoted', 'text_with:colon*', `it's`, '100%', '(near', "x' or 1=1 --"]) {
      expect(await ids(notes.search({ scope: 'scope', query }))).toEqual(['n'])
    }
  })

  it('a search ranks rare words first, then more words, then newer notes', async () => {
    await using opened = await open()
    const { notes } = opened
    const texts = ['what is the plan', 'what is the time', 'what is the end', 'favourite colour: green', 'green tea']
    for (const [index, text] of texts.entries()) await notes.put({ ...at(index), id: `n${index}`, text })
    const search = (query: string) => ids(notes.search({ scope: 'scope', query }))
    expect(await search('what is the favourite colour')).toEqual(['n3', 'n2', 'n1', 'n0'])
    expect(await search('green colour')).toEqual(['n3', 'n4'])
    expect(await search('green')).toEqual(['n4', 'n3'])
  })

  it('a search finds the best note of its scope even if other scopes match better', async () => {
    await using opened = await open()
    const { notes } = opened
    for (let index = 0; index < 20; index++)
      await notes.put({ scope: 'other', id: `n${index}`, at: 9, text: 'tea tea' })
    await notes.put({ ...at(1), text: 'a word about tea' })
    expect(await ids(notes.search({ scope: 'scope', query: 'tea', limit: 1 }))).toEqual(['n'])
  })

  it('a search returns at most 5 notes by default and accepts long queries and notes', async () => {
    await using opened = await open()
    const { notes } = opened
    const long = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ')
    for (let index = 0; index < 8; index++) await notes.put({ ...at(index), id: `n${index}`, text: long })
    expect(await ids(notes.search({ scope: 'scope', query: 'word2999' }))).toEqual(['n7', 'n6', 'n5', 'n4', 'n3'])
    expect(await notes.search({ scope: 'scope', query: `x${long}`, limit: 7 })).toHaveLength(7)
    await notes.put({ ...at(1), id: 'blob', text: 'y'.repeat(100_000) })
    expect(await ids(notes.search({ scope: 'scope', query: 'y'.repeat(64) }))).toEqual(['blob'])
  })

  it('a search with usedAt counts a use of each note that it returns, and of no other', async () => {
    await using opened = await open()
    const { notes } = opened
    await notes.put({ ...at(1), id: 'a', text: 'tea' })
    await notes.put({ ...at(2), id: 'b', text: 'tea' })
    await notes.put({ ...at(3), id: 'c', text: 'coffee' })
    await notes.search({ scope: 'scope', query: 'tea' })
    const found = await notes.search({ scope: 'scope', query: 'tea', limit: 1, usedAt: 9 })
    expect(found).toEqual([
      { id: 'b', text: 'tea', categories: [], createdAt: 2, updatedAt: 2, uses: 1, lastUsedAt: 9 },
    ])
    expect((await notes.list({ scope: 'scope' })).map(({ uses }) => uses)).toEqual([0, 1, 0])
  })
}

function describeLaws(open: () => Promise<OpenNotes>): void {
  it('any sequence of calls has the same results as the reference model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(noteCommand, { maxLength: 30 }), async commands => {
        await using opened = await open()
        let model: NoteModel = {}
        for (const command of commands) {
          const step = stepNotes(model, command)
          expect(await callNotes(opened.notes, command)).toEqual(step.answer)
          model = step.model
        }
      }),
      { numRuns: 60 },
    )
  })
}

const key = { scope: 'scope', id: 'n' }

function at(time: number): Pick<NotePut, 'scope' | 'id' | 'at'> {
  return { ...key, at: time }
}

async function ids(notes: Promise<readonly { readonly id: string }[]>): Promise<readonly string[]> {
  return (await notes).map(({ id }) => id)
}
