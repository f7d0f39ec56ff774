/** Source and flags of a regular expression, or a sentence that says what is wrong with the pattern. */
export type CompiledPattern = { readonly pattern: string; readonly flags: string } | string

export interface PatternOptions {
  readonly literal: boolean
  readonly ignoreCase: boolean
}

/**
 * Checks a regular expression. Rejects syntax of other dialects that JavaScript would silently read as something else. A
 * leading `(?i)` makes the expression case-insensitive.
 */
export function compilePattern(text: string, { literal, ignoreCase }: PatternOptions): CompiledPattern {
  if (text === '') return 'The pattern is empty. Give the text or regular expression to look for.'
  if (/[\r\n]/.test(text)) {
    return 'The pattern has a line break, but lines are searched one by one. Search for one line of it.'
  }
  if (literal) return { pattern: escape(text), flags: ignoreCase ? 'i' : '' }
  const caseless = text.startsWith('(?i)')
  const pattern = caseless ? text.slice(4) : text
  const foreign = foreignPart(pattern)
  if (foreign !== undefined) return foreign
  const flags = caseless || ignoreCase ? 'i' : ''
  if (faultOf(pattern, `${flags}u`) === undefined) return { pattern, flags: `${flags}u` }
  // Models often write needless escapes such as \- and \". JavaScript accepts them only without the flag u.
  const fault = faultOf(pattern, /\\p\{/i.test(pattern) ? `${flags}u` : flags)
  if (fault === undefined) return { pattern, flags }
  return `${fault}. Patterns are JavaScript regular expressions; to find the text as it stands, set literal to true.`
}

function faultOf(pattern: string, flags: string): string | undefined {
  try {
    void new RegExp(pattern, flags)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function foreignPart(pattern: string): string | undefined {
  if (/\[\[:\w+:\]/.test(pattern))
    return 'POSIX classes such as [[:alpha:]] are not supported. Write [A-Za-z], \\d, \\s or \\w.'
  const escapes = pattern.match(/\\[^]/g) ?? []
  const unknown = escapes.find(found => /[A-Za-z]/.test(found) && !/[dDsSwWbBnrtfvcxukpP]/.test(found))
  if (unknown === undefined) return undefined
  return `'${unknown}' means nothing in a JavaScript regular expression. Anchors are ^, $ and \\b; a backslash is \\\\.`
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
