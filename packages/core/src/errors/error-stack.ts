const MOST_CAUSES = 5
const MOST_CHARACTERS = 8_000

/** Returns the stack of an error and of its causes as one text, for developers. `undefined` for a value that is not an error. */
export function errorStack(error: unknown): string | undefined {
  const stacks: string[] = []
  for (let at = error; at instanceof Error && stacks.length <= MOST_CAUSES; at = at.cause) {
    stacks.push(typeof at.stack === 'string' ? at.stack : String(at))
  }
  return stacks.length === 0 ? undefined : stacks.join('\n[cause]: ').slice(0, MOST_CHARACTERS)
}
