/** The lines an example says it prints: what follows `// → `, in the order of the file. */
export function claimedOutput(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)\/\/ → (.*)$/gm)].map(match => (match[1] ?? '').trimEnd())
}
