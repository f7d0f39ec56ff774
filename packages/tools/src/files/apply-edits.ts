import { explainMissing } from './explain-missing.ts'

export interface Edit {
  readonly oldText: string
  readonly newText: string
  /** Whether to replace every occurrence. If `false`, `oldText` must occur exactly once. */
  readonly replaceAll: boolean
}

/** The changed text, or a sentence for the model that says why nothing changed. */
export type EditResult =
  | { readonly ok: true; readonly text: string; readonly replacements: readonly Replacement[] }
  | { readonly ok: false; readonly reason: string }

export interface Replacement {
  readonly count: number
  /** Line of the first occurrence, counted from 1, in the text that the earlier edits produced. */
  readonly line: number
}

/**
 * Applies edits one after the other, each to the result of the one before. Applies all of them or none. Texts are literal, not
 * patterns. In a text with Windows line ends, `\n` in an edit matches and writes `\r\n`.
 */
export function applyEdits(text: string, edits: readonly Edit[]): EditResult {
  let current = text
  const replacements: Replacement[] = []
  for (const [index, edit] of edits.entries()) {
    const fail = (reason: string): EditResult => ({
      ok: false,
      reason: edits.length === 1 ? reason : `Edit ${index + 1} of ${edits.length}: ${reason} None of them was applied.`,
    })
    if (edit.oldText === '') return fail('oldText is empty. Give the text to replace; to write a whole file use write.')
    const { oldText, newText } = withLineEnds(current, edit)
    if (oldText === newText) return fail('oldText and newText are the same, so there is nothing to change.')
    const first = current.indexOf(oldText)
    if (first < 0) return fail(explainMissing(current, oldText))
    const places = findPlaces(current, oldText)
    if (places.length > 1 && !edit.replaceAll) return fail(explainMany(current, places))
    const count = edit.replaceAll ? current.split(oldText).length - 1 : 1
    replacements.push({ count, line: lineAt(current, first) })
    // `replaceAll` would expand $& and similar patterns in a replacement string, but not in a function's result.
    current = edit.replaceAll
      ? current.replaceAll(oldText, () => newText)
      : splice(current, first, { oldText, newText })
  }
  return { ok: true, text: current, replacements }
}

function splice(text: string, at: number, { oldText, newText }: Pick<Edit, 'oldText' | 'newText'>): string {
  return text.slice(0, at) + newText + text.slice(at + oldText.length)
}

/** Adapts an edit to the text's line ends: unchanged if `oldText` occurs as given, else with Windows line ends. */
function withLineEnds(
  text: string,
  { oldText, newText }: Edit,
): { readonly oldText: string; readonly newText: string } {
  if (!text.includes('\r\n')) return { oldText, newText }
  const windows = oldText.replaceAll(/\r?\n/g, '\r\n')
  const matches = windows !== oldText && !text.includes(oldText) && text.includes(windows)
  const onlyWindows = !/(?:^|[^\r])\n/.test(text)
  return {
    oldText: matches ? windows : oldText,
    newText: matches || onlyWindows ? newText.replaceAll(/\r?\n/g, '\r\n') : newText,
  }
}

const SHOWN_PLACES = 10

/** Finds occurrences, overlapping ones included, up to one more than are shown. */
function findPlaces(text: string, part: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at >= 0 && places.length <= SHOWN_PLACES; at = text.indexOf(part, at + 1))
    places.push(at)
  return places
}

function explainMany(text: string, places: readonly number[]): string {
  const lines = places.slice(0, SHOWN_PLACES).map(place => lineAt(text, place))
  const more = places.length > SHOWN_PLACES ? ' and more' : ''
  return (
    `oldText occurs ${more === '' ? places.length : `more than ${SHOWN_PLACES}`} times (lines ${lines.join(', ')}${more}). ` +
    'Add lines around it until it occurs once, or set replaceAll to true.'
  )
}

function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}
