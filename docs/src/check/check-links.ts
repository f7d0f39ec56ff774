import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Page } from '../page.ts'
import type { Problem } from './problem.ts'
import { proseLines } from './prose-lines.ts'

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g
const HEADING = /^#{1,6}\s+(.+?)\s*$/

export interface LinkOptions {
  /** The root of the repository. */
  readonly root: string
  /** Every document, by its path from the root. A link may lead to one that is not on the disk. */
  readonly documents: readonly Page[]
}

/** Checks that every relative link leads to a file, a folder or a document, and every anchor to a heading of it. */
export function checkLinks({ root, documents }: LinkOptions): readonly Problem[] {
  const texts = new Map(documents.map(({ path, text }) => [path, text]))
  const anchors = new Map<string, ReadonlySet<string>>()
  const anchorsOf = (path: string): ReadonlySet<string> => {
    const known = anchors.get(path) ?? headingAnchors(texts.get(path) ?? '')
    anchors.set(path, known)
    return known
  }
  const faultOf = (from: string, target: string): string | undefined => {
    if (/^[a-z][\w+.-]*:/i.test(target)) return undefined
    const [file = '', anchor] = target.split('#')
    const path = file === '' ? from : posix.join(posix.dirname(from), decodeURIComponent(file)).replace(/\/$/, '')
    if (!texts.has(path) && !existsSync(join(root, path))) return `the link ${target} leads to no file`
    if (anchor === undefined || anchor === '' || !texts.has(path)) return undefined
    return anchorsOf(path).has(anchor) ? undefined : `${path} has no heading for the link ${target}`
  }
  return documents.flatMap(({ path: file, text }) =>
    proseLines(text).flatMap(({ line, text: prose }) =>
      [...prose.matchAll(LINK)].flatMap(([, target = '']) => {
        const message = faultOf(file, target)
        return message === undefined ? [] : [{ file, line, message }]
      }),
    ),
  )
}

/** Returns the anchors of a document, as GitHub and VitePress make them for headings of plain words. */
function headingAnchors(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  let inBlock = false
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) inBlock = !inBlock
    const heading = inBlock ? undefined : HEADING.exec(line)?.[1]
    if (heading === undefined) continue
    const words = heading.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    found.add(words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'))
  }
  return found
}
