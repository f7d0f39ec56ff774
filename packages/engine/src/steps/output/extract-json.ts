/**
 * Returns the JSON value in a model's text: the whole text, else the content of a code fence, else the text from the
 * first bracket to the last bracket that can close it. `undefined` if none of them is JSON.
 */
export function extractJson(text: string): { readonly value: unknown } | undefined {
  const bare = text.replaceAll(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, '').trim()
  const fenced = /```[a-z]*\s*\n([\s\S]*?)\n?```/i.exec(bare)?.[1]
  return parse(bare) ?? (fenced === undefined ? undefined : parse(fenced.trim())) ?? parse(outermost(bare))
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The text from the first bracket to the last bracket that can close it. */
function outermost(text: string): string {
  const from = text.search(/[[{]/)
  if (from < 0) return ''
  return text.slice(from, text.lastIndexOf(text[from] === '{' ? '}' : ']') + 1)
}
