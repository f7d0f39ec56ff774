import type { Terminal } from './terminal.ts'

/**
 * Removes control characters from text that a model or a tool wrote: in a terminal they could move the cursor, change the title
 * or write to the clipboard. A file or a pipe gets the text unchanged.
 */
export function printable(text: string, { columns }: Pick<Terminal, 'columns'>): string {
  if (columns === undefined) return text
  // oxlint-disable-next-line no-control-regex -- control characters must not reach a terminal
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
