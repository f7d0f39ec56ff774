import { findSubjectFault } from './find-subject-fault.ts'
import type { Passage } from './passage.ts'
import { PHRASE_RULES } from './phrase-rules.ts'
import { readDocument } from './read-document.ts'
import { readSource } from './read-source.ts'
import type { Violation } from './violation.ts'

const TEST_FILE = /\.(test|test-d|spec|bench)\.[cm]?[jt]sx?$|(^|\/)__fixtures__\//

const SUBJECT_REMEDIES = {
  subject: 'Begin the test name with its subject: the component or function that acts.',
  clause: 'Begin the test name with its subject and end with the condition, or put a comma and the subject after it.',
  continuation: 'Begin the test name with its subject; it must be readable without its describe.',
} as const

type Finding = Omit<Violation, 'file' | 'line'> & { readonly offset: number }

/** Returns the violations in the text of one file, in the order of their lines. */
export function checkText(file: string, text: string): readonly Violation[] {
  const passages = file.endsWith('.md')
    ? readDocument(text)
    : readSource(file, text, { messages: !TEST_FILE.test(file) })
  const lineStarts = findLineStarts(text)
  return passages
    .flatMap(passage => [...checkPhrases(passage, text), ...checkTestName(passage, text)])
    .map(({ offset, ...finding }) => ({ ...finding, file, line: lineAt(lineStarts, offset) }))
    .toSorted((a, b) => a.line - b.line)
}

function checkPhrases({ kind, start, text: prose }: Passage, text: string): readonly Finding[] {
  return PHRASE_RULES.filter(({ kinds }) => kinds === undefined || kinds.includes(kind)).flatMap(
    ({ rule, pattern, remedy }) =>
      [...prose.matchAll(pattern)].map(match => {
        const lead = match[0].length - match[0].trimStart().length
        const offset = start + match.index + lead
        const found = `"${oneLine(text.slice(offset, start + match.index + match[0].length))}"`
        return { rule, offset, found, remedy }
      }),
  )
}

function checkTestName({ kind, start, text: prose }: Passage, text: string): readonly Finding[] {
  const fault = kind === 'test-name' ? findSubjectFault(prose) : undefined
  if (fault === undefined) return []
  const shown = oneLine(text.slice(start, start + prose.length))
  const found = `"${shown.length > 60 ? `${shown.slice(0, 59)}…` : shown}"`
  return [{ rule: 'test-name', offset: start, found, remedy: SUBJECT_REMEDIES[fault] }]
}

/** Removes the comment mark of the second line from a phrase that is broken over two lines of a comment. */
function oneLine(text: string): string {
  return text.replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' ')
}

function findLineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(match => match.index + 1)]
}

function lineAt(lineStarts: readonly number[], offset: number): number {
  const next = lineStarts.findIndex(start => start > offset)
  return next === -1 ? lineStarts.length : next
}
