/** A pattern ready to search with, or what is wrong with it, as a sentence. */
export type CompiledPattern = { readonly pattern: string; readonly flags: string } | string

export interface PatternOptions {
  readonly literal: boolean
  readonly ignoreCase: boolean
}

/** Checks a regular expression and takes over what other dialects write at its start. */
export function compilePattern(text: string, { literal, ignoreCase }: PatternOptions): CompiledPattern {
  if (text === '') return 'The pattern is empty. Give the text or regular expression to look for.'
  if (/[\r\n]/.test(text))
    return 'The pattern has a line break, but lines are searched one by one. Look for one line of it.'
  if (literal) return { pattern: escape(text), flags: ignoreCase ? 'i' : '' }
  const caseless = text.startsWith('(?i)')
  const pattern = caseless ? text.slice(4) : text
  if (/\[\[:\w+:\]/.test(pattern))
    return 'POSIX classes such as [[:alpha:]] are not known. Write [A-Za-z], \\d, \\s or \\w.'
  try {
    void new RegExp(pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `${reason}. Patterns are JavaScript regular expressions; to find the text as it stands, set literal to true.`
  }
  return { pattern, flags: caseless || ignoreCase ? 'i' : '' }
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
