/** A pattern ready to search with, or what is wrong with it, as a sentence. */
export type CompiledPattern = { readonly pattern: string; readonly flags: string } | string

export interface PatternOptions {
  readonly literal: boolean
  readonly ignoreCase: boolean
}

/**
 * Checks a regular expression. What other dialects write and JavaScript would silently take for something else is
 * refused; a leading `(?i)` is understood.
 */
export function compilePattern(text: string, { literal, ignoreCase }: PatternOptions): CompiledPattern {
  if (text === '') return 'The pattern is empty. Give the text or regular expression to look for.'
  if (/[\r\n]/.test(text)) {
    return 'The pattern has a line break, but lines are searched one by one. Look for one line of it.'
  }
  if (literal) return { pattern: escape(text), flags: ignoreCase ? 'i' : '' }
  const caseless = text.startsWith('(?i)')
  const pattern = caseless ? text.slice(4) : text
  const foreign = foreignPart(pattern)
  if (foreign !== undefined) return foreign
  const flags = caseless || ignoreCase ? 'i' : ''
  if (faultOf(pattern, `${flags}u`) === undefined) return { pattern, flags: `${flags}u` }
  // Without the flag u, JavaScript lets needless escapes such as \- and \" pass, which models like to write.
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
    return 'POSIX classes such as [[:alpha:]] are not known. Write [A-Za-z], \\d, \\s or \\w.'
  const escapes = pattern.match(/\\[^]/g) ?? []
  const unknown = escapes.find(found => /[A-Za-z]/.test(found) && !/[dDsSwWbBnrtfvcxukpP]/.test(found))
  if (unknown === undefined) return undefined
  return `'${unknown}' means nothing in a JavaScript regular expression. Anchors are ^, $ and \\b; a backslash is \\\\.`
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
