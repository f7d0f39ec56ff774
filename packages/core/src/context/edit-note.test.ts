import { expect, it } from 'vitest'
import { userMessage } from '../model/message-text.ts'
import { editNoteLabel, editNoteMessage } from './edit-note.ts'

it.each(['Memo', 'Lesson', 'Finding', 'Outcome', 'Checkpoint'] as const)(
  'editNoteLabel returns the label of a %s note and nothing for other messages',
  label => {
    const note = editNoteMessage(label, 'The file is gone.')
    expect(note).toEqual(userMessage(`[${label} on steps taken out of the context]\nThe file is gone.`))
    expect(editNoteLabel(note)).toBe(label)
    expect(editNoteLabel(userMessage(`See: [${label} on steps taken out of the context]\n`))).toBeUndefined()
    expect(editNoteLabel({ ...note, role: 'assistant' })).toBeUndefined()
    expect(editNoteLabel(undefined)).toBeUndefined()
  },
)
