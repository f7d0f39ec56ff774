import { defineTool, ParleyError, searchWords, toolError } from '@parley/core'
import * as z from 'zod'
import type { DocsPage } from './docs-archive.ts'
import { findPage, searchPages } from './find-pages.ts'

const MAX_RESULTS = 8

/** Makes the tools with which a coding agent reads the documentation. */
export function docsTools(pages: readonly DocsPage[]) {
  const search = defineTool({
    name: 'search_docs',
    description:
      'Finds pages of the Parley documentation by words. Returns addresses and titles, and a line of each page.',
    input: z.object({ query: z.string().min(1).describe('Words, or an error code such as model-auth.') }),
    effect: 'read',
    execute: ({ query }) => {
      const found = searchPages(pages, query).slice(0, MAX_RESULTS)
      if (found.length === 0) return toolError(`No page has these words: ${query}.`)
      return found.map(page => `${page.address}: ${page.title}\n  ${lineWith(page, query)}`).join('\n')
    },
  })
  const read = defineTool({
    name: 'read_docs',
    description: 'Returns a page of the Parley documentation as Markdown. `search_docs` finds its address.',
    input: z.object({ page: z.string().describe('Address of the page, for example concepts/effects.') }),
    effect: 'read',
    execute: ({ page }) => {
      try {
        return findPage(pages, page).text
      } catch (error) {
        if (ParleyError.is(error)) return toolError(error.message)
        throw error
      }
    },
  })
  return [search, read] as const
}

/** The first line of prose that has a word of the query. */
function lineWith({ text }: DocsPage, query: string): string {
  const words = new Set(searchWords(query))
  const lines = text.split('\n').filter(line => /^[A-Z*-]/.test(line))
  const line = lines.find(each => [...searchWords(each)].some(word => words.has(word))) ?? lines[0] ?? ''
  return line.slice(0, 160)
}
