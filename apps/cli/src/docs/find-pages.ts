import { ParleyError, rankByWords, searchWords } from '@parley/core'
import { closestName } from '../render/closest-name.ts'
import type { DocsPage } from './docs-archive.ts'

/** Returns the page with an address. Accepts `.md` at its end and `/` at its start. @throws ParleyError `request-invalid`. */
export function findPage(pages: readonly DocsPage[], address: string): DocsPage {
  const wanted = address.replace(/^\/+/, '').replace(/(?:\/|\/index)?(?:\.md)?$/, '')
  const found = pages.find(page => page.address === wanted)
  if (found !== undefined) return found
  const closest = closestName(wanted, pages.map(page => page.address))
  const hint = closest === undefined ? 'search for its words instead' : `did you mean '${closest}'`
  throw new ParleyError({ code: 'request-invalid', path: 'page', detail: `there is no page '${address}'; ${hint}` })
}

/** Returns the pages that have words of the query, best first. Words in the title and the address of a page count more. */
export function searchPages(pages: readonly DocsPage[], query: string): readonly DocsPage[] {
  const words = [...searchWords(query)]
  const bodies = pages.map(page => ({ page, words: [...searchWords(page.text)] }))
  const heads = pages.map(page => ({ page, words: [...searchWords(`${page.title} ${page.address}`)] }))
  const ranked = [heads, bodies].map(documents => rankByWords(documents, { words }).map(({ page }) => page))
  const placeIn = (list: readonly DocsPage[], page: DocsPage): number =>
    list.includes(page) ? list.indexOf(page) : list.length + 10
  const [byHead = [], byBody = []] = ranked
  const score = (page: DocsPage): number => placeIn(byHead, page) + placeIn(byBody, page)
  return [...new Set([...byHead, ...byBody])].toSorted((a, b) => score(a) - score(b))
}
