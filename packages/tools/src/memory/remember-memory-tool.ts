import { toolError, toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import type { NoteAccess } from './note-access.ts'

const MAX_CHARACTERS = 10_000

const input = {
  type: 'object',
  properties: {
    content: { type: 'string', description: 'What to remember: one fact or decision that makes sense by itself.' },
    summary: { type: 'string', description: 'The same in one line.' },
    categories: { type: 'array', items: { type: 'string' }, description: 'Words to file it under.' },
  },
  required: ['content'],
  additionalProperties: false,
} as const

/** The tool `remember_memory`, which writes a note. */
export function rememberMemoryTool({ memory, scope, now }: NoteAccess): Tool<InferInput<typeof input>, ToolOutcome> {
  return defineBuiltIn({
    name: 'remember_memory',
    description: 'Notes something for later conversations. Find it again with recall_memory. No passwords or keys.',
    effect: 'idempotent',
    input,
    execute: async ({ content, summary, categories = [] }, { run, idempotencyKey: id }) => {
      if (content.trim() === '') return toolError('The content is empty. Say what to remember.')
      const length = [content, summary ?? '', ...categories].join('').length
      if (length > MAX_CHARACTERS)
        return toolError(`The note has ${length} characters; the limit is ${MAX_CHARACTERS}. Keep what matters later.`)
      // The id is the idempotency key, so an attempt before a crash wrote this same note or none.
      const note = await memory.put({ scope: scope(run), id, at: now(), text: content, summary, categories })
      return toolOk('Noted.', { id: note.id })
    },
  })
}
