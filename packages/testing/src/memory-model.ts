import {
  rankByWords,
  searchWords,
  type MemoryNote,
  type MemoryPut,
  type MemorySearch,
  type MemoryStore,
  type MemoryUpdate,
} from '@parley/core'
import * as fc from 'fast-check'

/** One call of a memory's method. */
export type MemoryCommand =
  | ({ readonly type: 'put' } & MemoryPut)
  | ({ readonly type: 'update' } & MemoryUpdate)
  | ({ readonly type: 'search' } & MemorySearch)
  | { readonly type: 'get' | 'remove'; readonly scope: string; readonly id: string }
  | { readonly type: 'list'; readonly scope: string; readonly limit: number }

/** What a memory must know, as plain data: the notes of each scope. */
export type MemoryModel = Readonly<Record<string, readonly MemoryNote[]>>

export interface MemoryStep {
  readonly model: MemoryModel
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

export const memoryCommand: fc.Arbitrary<MemoryCommand> = fc.oneof(
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

export function callMemory(memory: MemoryStore, command: MemoryCommand): Promise<unknown> {
  switch (command.type) {
    case 'put':
      return memory.put(command)
    case 'update':
      return memory.update(command)
    case 'search':
      return memory.search(command)
    case 'get':
      return memory.get(command)
    case 'remove':
      return memory.remove(command)
    case 'list':
      return memory.list(command)
  }
}

export function stepMemory(model: MemoryModel, command: MemoryCommand): MemoryStep {
  const notes = model[command.scope] ?? []
  const withNotes = (changed: readonly MemoryNote[]): MemoryModel => ({ ...model, [command.scope]: changed })
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

function toNote(
  command: Extract<MemoryCommand, { type: 'put' | 'update' }>,
  before: MemoryNote | undefined,
): MemoryNote {
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

function used(note: MemoryNote, usedAt: number): MemoryNote {
  return { ...note, uses: note.uses + 1, lastUsedAt: usedAt }
}

function toDocument(note: MemoryNote) {
  return { note, words: searchWords([note.text, note.summary ?? '', ...note.categories].join(' ')) }
}

function without(notes: readonly MemoryNote[], id: string): readonly MemoryNote[] {
  return notes.filter(note => note.id !== id)
}

function newestFirst(notes: readonly MemoryNote[]): readonly MemoryNote[] {
  return notes.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
}
