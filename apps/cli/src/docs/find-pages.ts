import { ParleyError, rankByWords, searchWords } from '@parley/core'
import { closestName } from '../render/closest-name.ts'
import type { DocsPage } from './docs-archive.ts'

/** Returns the page with an address. Accepts `.md` at its end and `/` at its start. @throws ParleyError `request-invalid`. */
export function findPage(pages: readonly DocsPage[], address: string): DocsPage {
  const wanted = address.replace(/^\/+/, '').replace(/(?:\/|\/index)?(?:\.md)?$/, '')
  const found = pages.find(page => page.address === wanted)
  if (found !== undefined) return found
  const closest = closestName(
    wanted,
    pages.map(page => page.address),
  )
  const near = closest === undefined ? nearPages(pages, wanted) : [closest]
  const hint =
    near.length === 0 ? '`parley docs` lists all pages' : `did you mean ${near.map(page => `'${page}'`).join(' or ')}?`
  throw new ParleyError({ code: 'request-invalid', path: 'page', detail: `there is no page '${address}'; ${hint}` })
}

/** The addresses of the pages with this name in any folder, such as `concepts/approvals`, and of those about its words. */
function nearPages(pages: readonly DocsPage[], wanted: string): readonly string[] {
  const name = wanted.slice(wanted.lastIndexOf('/') + 1)
  const named = pages.filter(({ address }) => address.endsWith(`/${name}`))
  const found = named.length > 0 ? named : searchPages(pages, wanted.replaceAll(/[-/_]/g, ' '))
  return found.slice(0, 3).map(({ address }) => address)
}

/** Returns the pages that have words of the query, best first. Pages with a word in their title or address come first. */
export function searchPages(pages: readonly DocsPage[], query: string): readonly DocsPage[] {
  const words = [...searchWords(query)]
  const rank = (textOf: (page: DocsPage) => string): readonly DocsPage[] => {
    const documents = pages.map(page => ({ page, words: new Set(searchWords(textOf(page))) }))
    return rankByWords(documents, { words }).map(({ page }) => page)
  }
  return [...new Set([...rank(page => `${page.title} ${page.address}`), ...rank(page => page.text)])]
}
