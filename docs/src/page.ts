/** A page of the site, as Markdown. */
export interface Page {
  /** Path from the folder of the site, for example `start/node.md`. */
  readonly path: string
  readonly text: string
}

/** Returns the first heading of a page, without the marks of code. */
export function titleOf({ text, path }: Page): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path
}
