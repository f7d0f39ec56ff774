import type { ContextEdit, MessageGroup } from '@parley/core'
import { editNoteLabel, editNoteMessage, type EditNoteLabel } from '@parley/core/context'

type Category = Extract<ContextEdit, { type: 'revert' }>['category']

const LABELS: Readonly<Record<Category, EditNoteLabel>> = {
  failure: 'Lesson',
  tangent: 'Finding',
  completion: 'Outcome',
  'step-summary': 'Checkpoint',
}
/** Notes with these labels lose their value over time. The newest of each label stay, and so do those of recent steps. */
const FADING: readonly EditNoteLabel[] = [LABELS.failure, LABELS.tangent]
const NEWEST = 3
const FRESH_STEPS = 5

/** Creates the note that replaces the steps an edit removes. `undefined` if the edit has no text for it. */
export function editNote(edit: ContextEdit): MessageGroup | undefined {
  const text = edit.type === 'trim' ? edit.memo : edit.summary
  if (text === undefined || text.trim() === '') return undefined
  const label = edit.type === 'trim' ? 'Memo' : LABELS[edit.category]
  return { messages: [editNoteMessage(label, text.trim())] }
}

/**
 * Removes the fading notes that are neither among the newest nor recent. Checks only groups that a policy or an edit
 * wrote, because a message of the transcript may look like a note.
 */
export function withoutFaded(
  groups: readonly MessageGroup[],
  isWritten: (group: MessageGroup) => boolean,
): readonly MessageGroup[] {
  const newer = new Map<EditNoteLabel, number>()
  let steps = 0
  const faded = new Set<MessageGroup>()
  for (const group of groups.toReversed()) {
    const [message] = group.messages
    if (message?.role === 'assistant') steps += 1
    const label = isWritten(group) ? editNoteLabel(message) : undefined
    if (label === undefined || !FADING.includes(label)) continue
    const before = newer.get(label) ?? 0
    newer.set(label, before + 1)
    if (before >= NEWEST && steps > FRESH_STEPS) faded.add(group)
  }
  return groups.filter(group => !faded.has(group))
}
