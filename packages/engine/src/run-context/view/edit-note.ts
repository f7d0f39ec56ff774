import { messageText, userMessage, type ContextEdit, type Message, type MessageGroup } from '@parley/core'

type Category = Extract<ContextEdit, { type: 'revert' }>['category']

const LABELS: Readonly<Record<Category, string>> = {
  failure: 'Lesson',
  tangent: 'Finding',
  completion: 'Outcome',
  'step-summary': 'Checkpoint',
}
const MEMO = 'Memo'
/** Notes of these kinds lose their worth: the newest of each stay, and those the model went few steps from. */
const FADING: readonly string[] = [LABELS.failure, LABELS.tangent]
const NEWEST = 3
const FRESH_STEPS = 5

/** What stands in the place of the steps an edit takes out; undefined when its call has nothing to say about them. */
export function editNote(edit: ContextEdit): MessageGroup | undefined {
  const text = edit.type === 'trim' ? edit.memo : edit.summary
  if (text === undefined || text.trim() === '') return undefined
  const label = edit.type === 'trim' ? MEMO : LABELS[edit.category]
  return { messages: [userMessage(`[${label} on steps taken out of the context]\n${text.trim()}`)] }
}

const HEADING = new RegExp(`^\\[(${[MEMO, ...Object.values(LABELS)].join('|')}) on steps taken out of the context\\]\n`)

/** The kind of a message that is such a note; undefined for any other. */
export function noteLabel(message: Message | undefined): string | undefined {
  return message?.role === 'user' ? HEADING.exec(messageText(message))?.[1] : undefined
}

/** The groups without the notes that have faded. Only those that are no part of the log are looked at. */
export function withoutFaded(
  groups: readonly MessageGroup[],
  isWritten: (group: MessageGroup) => boolean,
): readonly MessageGroup[] {
  const newer = new Map<string, number>()
  let steps = 0
  const faded = new Set<MessageGroup>()
  for (const group of groups.toReversed()) {
    const [message] = group.messages
    if (message?.role === 'assistant') steps += 1
    const label = isWritten(group) ? noteLabel(message) : undefined
    if (label === undefined || !FADING.includes(label)) continue
    const before = newer.get(label) ?? 0
    newer.set(label, before + 1)
    if (before >= NEWEST && steps > FRESH_STEPS) faded.add(group)
  }
  return groups.filter(group => !faded.has(group))
}
