import { rankByWords, searchWords, type Note, type NotePut, type NoteStore } from '@parley/core'

/** Creates a note store that keeps its notes in the memory of this process. */
export function createMemoryNotes(): NoteStore {
  const scopes = new Map<string, Map<string, Note>>()
  const wordsOf = new WeakMap<Note, ReadonlySet<string>>()

  const find = (scope: string, id: string): Note | undefined => scopes.get(scope)?.get(id)

  function keep(scope: string, note: Note): Note {
    const notes = scopes.get(scope) ?? new Map<string, Note>()
    scopes.set(scope, notes.set(note.id, note))
    return note
  }

  function newestFirst(scope: string): readonly Note[] {
    return [...(scopes.get(scope)?.values() ?? [])].toSorted(
      (a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1),
    )
  }

  function words(note: Note): ReadonlySet<string> {
    const known = wordsOf.get(note) ?? searchWords([note.text, note.summary ?? '', ...note.categories].join('\n'))
    wordsOf.set(note, known)
    return known
  }

  return {
    put: async ({ scope, ...given }, { signal } = {}) => {
      signal?.throwIfAborted()
      return keep(scope, toNote(given, find(scope, given.id)))
    },
    get: async ({ scope, id }, { signal } = {}) => {
      signal?.throwIfAborted()
      return find(scope, id)
    },
    update: async ({ scope, id, at, text, summary, categories }, { signal } = {}) => {
      signal?.throwIfAborted()
      const before = find(scope, id)
      if (before === undefined) return undefined
      const after = { text: text ?? before.text, summary: summary ?? before.summary }
      return keep(scope, toNote({ id, at, ...after, categories: categories ?? before.categories }, before))
    },
    remove: async ({ scope, id }, { signal } = {}) => {
      signal?.throwIfAborted()
      return scopes.get(scope)?.delete(id) ?? false
    },
    list: async ({ scope, limit = 50 }, { signal } = {}) => {
      signal?.throwIfAborted()
      return newestFirst(scope).slice(0, limit)
    },
    search: async ({ scope, query, limit = 5, usedAt }, { signal } = {}) => {
      signal?.throwIfAborted()
      const notes = newestFirst(scope).map(note => ({ note, words: words(note) }))
      const found = rankByWords(notes, { words: searchWords(query) }).slice(0, limit)
      if (usedAt === undefined) return found.map(({ note }) => note)
      return found.map(({ note }) => keep(scope, { ...note, uses: note.uses + 1, lastUsedAt: usedAt }))
    },
  }
}

function toNote({ at, text, summary, categories = [], id }: Omit<NotePut, 'scope'>, before?: Note): Note {
  const { createdAt = at, uses = 0, lastUsedAt } = before ?? {}
  return {
    id,
    text,
    ...(summary === undefined ? {} : { summary }),
    categories: [...categories],
    createdAt,
    updatedAt: at,
    uses,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
  }
}
