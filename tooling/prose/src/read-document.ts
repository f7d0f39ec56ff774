import { blank, maskCode } from './mask-code.ts'
import type { Passage } from './passage.ts'

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/
const HTML_COMMENT = /<!--[\s\S]*?-->/g
const LINK_TARGET = /(?<=\])\([^)\s]*\)/g

/** Returns the prose of a Markdown file: everything except code, addresses, front matter and HTML comments. */
export function readDocument(text: string): readonly Passage[] {
  const visible = text.replace(FRONT_MATTER, blank).replace(HTML_COMMENT, blank).replace(LINK_TARGET, blank)
  return [{ kind: 'document', start: 0, text: maskCode(visible) }]
}
