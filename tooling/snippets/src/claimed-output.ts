/** Returns the lines that an example claims to print: the text after each `// → `, in order. */
export function claimedOutput(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)\/\/ → (.*)$/gm)].map(match => (match[1] ?? '').trimEnd())
}
