import {
  rankByWords,
  searchWords,
  type Note,
  type NotePut,
  type NoteSearch,
  type NoteStore,
  type NoteUpdate,
} from '@parley/core'
import * as fc from 'fast-check'

/** A call of a note store. */
export type NoteCommand =
  | ({ readonly type: 'put' } & NotePut)
  | ({ readonly type: 'update' } & NoteUpdate)
  | ({ readonly type: 'search' } & NoteSearch)
  | { readonly type: 'get' | 'remove'; readonly scope: string; readonly id: string }
  | { readonly type: 'list'; readonly scope: string; readonly limit: number }

/** State of the reference model of a note store: the notes of each scope. */
export type NoteModel = Readonly<Record<string, readonly Note[]>>

/** The state after a call, and the result that the store must return. */
export interface NoteStep {
  readonly model: NoteModel
  readonly answer: unknown
}

const words = fc.array(fc.constantFrom('tea', 'team', 'teams', 'a', 'Grün', 'green', '茶', '-', '\u0000'), {
  maxLength: 4,
})
const text = words.map(each => each.join(' '))
const key = { scope: fc.constantFrom('north', 'south'), id: fc.constantFrom('n1', 'n2', 'n3', 'n4') }
const at = fc.integer({ min: 0, max: 5 })
const categories = fc.array(fc.constantFrom('food', 'tea time'), { maxLength: 2 })
const limit = fc.integer({ min: 1, max: 4 })

/** Generates a random call of a note store. */
export const noteCommand: fc.Arbitrary<NoteCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { type: fc.constant('put'), ...key, at, text, summary: text, categories },
      { requiredKeys: ['type', 'scope', 'id', 'at', 'text'] },
    ),
  },
  fc.record(
    { type: fc.constant('update'), ...key, at, text, summary: text, categories },
    { requiredKeys: ['type', 'scope', 'id', 'at'] },
  ),
  {
    weight: 3,
    arbitrary: fc.record(
      { type: fc.constant('search'), scope: key.scope, query: text, limit, usedAt: at },
      { requiredKeys: ['type', 'scope', 'query'] },
    ),
  },
  fc.record({ type: fc.constantFrom('get', 'remove'), ...key }),
  fc.record({ type: fc.constant('list'), scope: key.scope, limit }),
)

/** Makes the call that a command describes. */
export function callNotes(notes: NoteStore, command: NoteCommand): Promise<unknown> {
  switch (command.type) {
    case 'put':
      return notes.put(command)
    case 'update':
      return notes.update(command)
    case 'search':
      return notes.search(command)
    case 'get':
      return notes.get(command)
    case 'remove':
      return notes.remove(command)
    case 'list':
      return notes.list(command)
  }
}

/** Applies a call to the reference model. */
export function stepNotes(model: NoteModel, command: NoteCommand): NoteStep {
  const notes = model[command.scope] ?? []
  const withNotes = (changed: readonly Note[]): NoteModel => ({ ...model, [command.scope]: changed })
  switch (command.type) {
    case 'put':
    case 'update': {
      const before = notes.find(({ id }) => id === command.id)
      if (before === undefined && command.type === 'update') return { model, answer: undefined }
      const note = toNote(command, before)
      return { model: withNotes([...without(notes, command.id), note]), answer: note }
    }
    case 'search': {
      const { query, limit: most = 5, usedAt } = command
      const found = rankByWords(newestFirst(notes).map(toDocument), { words: searchWords(query) })
      const answer = found.slice(0, most).map(({ note }) => (usedAt === undefined ? note : used(note, usedAt)))
      const rest = notes.filter(({ id }) => !answer.some(note => note.id === id))
      return { model: withNotes([...rest, ...answer]), answer }
    }
    case 'get':
      return { model, answer: notes.find(({ id }) => id === command.id) }
    case 'remove': {
      const rest = without(notes, command.id)
      return { model: withNotes(rest), answer: rest.length < notes.length }
    }
    case 'list':
      return { model, answer: newestFirst(notes).slice(0, command.limit) }
  }
}

function toNote(command: Extract<NoteCommand, { type: 'put' | 'update' }>, before: Note | undefined): Note {
  const { id, at: updatedAt } = command
  const kept = command.type === 'update' ? before : undefined
  const summary = command.summary ?? kept?.summary
  const { createdAt = updatedAt, uses = 0, lastUsedAt } = before ?? {}
  return {
    id,
    text: command.text ?? kept?.text ?? '',
    ...(summary === undefined ? {} : { summary }),
    categories: command.categories ?? kept?.categories ?? [],
    createdAt,
    updatedAt,
    uses,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
  }
}

function used(note: Note, usedAt: number): Note {
  return { ...note, uses: note.uses + 1, lastUsedAt: usedAt }
}

function toDocument(note: Note) {
  return { note, words: searchWords([note.text, note.summary ?? '', ...note.categories].join(' ')) }
}

function without(notes: readonly Note[], id: string): readonly Note[] {
  return notes.filter(note => note.id !== id)
}

function newestFirst(notes: readonly Note[]): readonly Note[] {
  return notes.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
}
