import { createHiddenParts } from './hidden-parts.ts'
import { createLists } from './html-lists.ts'
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts'
import { readHtml } from './read-html.ts'

/** A page as Markdown. */
export interface Page {
  /** Title on one line. Empty if the page has none. */
  readonly title: string
  readonly markdown: string
}

type Attributes = ReadonlyMap<string, string>

const ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'src', 'alt', 'hidden', 'aria-hidden', 'style'])
const BLOCKS = new Set(
  (
    'p div section article main header footer nav aside figure figcaption form fieldset address details ' +
    'summary dl dt dd caption body html center h1 h2 h3 h4 h5 h6'
  ).split(' '),
)

/** Maximum number of links that are resolved, because resolving a URL is slow. Further links are shown as text. */
const MAX_LINKS = 20_000

/**
 * Converts a page to Markdown in time linear in its length, for any nesting. Supports headings, lists, links, images, code,
 * quotations and tables. Leaves out scripts, styles and elements that are hidden from readers.
 * @param url Address of the page, which links are resolved against.
 */
export function htmlToMarkdown(html: string, url: string): Page {
  const writer = createMarkdownWriter()
  const hidden = createHiddenParts()
  const elements = createElements(writer, url)
  const title: string[] = []
  let titles = 0
  readHtml(html, {
    attributes: ATTRIBUTES,
    open(name, attributes) {
      if (name === 'title') titles++
      if (!hidden.open(name, attributes)) elements.open(name, attributes)
    },
    close(name) {
      if (name === 'title') titles++
      if (!hidden.close(name)) elements.close(name)
    },
    text(text) {
      if (!hidden.inside) writer.text(text)
      else if (titles === 1) title.push(text)
    },
  })
  return { title: title.join('').replaceAll(/\s+/g, ' ').trim().slice(0, 500), markdown: writer.toString() }
}

interface Elements {
  open(name: string, attributes: Attributes): void
  close(name: string): void
}

function createElements(writer: MarkdownWriter, url: string): Elements {
  const lists = createLists(writer)
  const links = createLinks(writer)
  let base = url

  function open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'base':
        base = resolveLink(attributes.get('href'), url) ?? base
        return
      case 'br':
        return writer.end(false)
      case 'hr':
        return writeRule(writer)
      case 'ul':
      case 'ol':
      case 'li':
        return lists.open(name)
      case 'blockquote':
        writer.end(true)
        return writer.quote(1)
      case 'pre':
        return writer.openCode()
      case 'a':
        return links.open(attributes.get('href'), base)
      case 'img':
        return writer.text(imageOf(attributes, base))
      case 'table':
        return writer.startTable()
      case 'td':
      case 'th':
        return writer.openCell()
      case 'tr':
        return writer.endRow()
      default:
        if (wrapOf(name) !== undefined) writer.openSpan(false)
        else if (BLOCKS.has(name)) openBlock(writer, name)
    }
  }

  function close(name: string): void {
    switch (name) {
      case 'ul':
      case 'ol':
      case 'li':
        return lists.close(name)
      case 'blockquote':
        writer.end(true)
        return writer.quote(-1)
      case 'pre':
        return writer.closeCode()
      case 'a':
        return links.close()
      case 'td':
      case 'th':
        return writer.closeCell()
      case 'tr':
        return writer.endRow()
      case 'table':
        writer.endRow()
        return writer.end(true)
      default: {
        const wrap = wrapOf(name)
        if (wrap !== undefined) writer.closeSpan(text => `${wrap}${text}${wrap}`)
        else if (BLOCKS.has(name)) writer.end(true)
      }
    }
  }

  return { open, close }
}

interface Links {
  open(href: string | undefined, base: string): void
  close(): void
}

/** Tracks the open link. A link ends where the next one begins. */
function createLinks(writer: MarkdownWriter): Links {
  let target: string | undefined
  let count = 0

  function close(): void {
    const url = target
    target = undefined
    if (url !== undefined) writer.closeSpan(text => `[${text}](${url})`)
  }

  return {
    close,
    open(href, base) {
      close()
      target = count++ < MAX_LINKS ? resolveLink(href, base) : undefined
      if (target !== undefined) writer.openSpan(true)
    },
  }
}

function writeRule(writer: MarkdownWriter): void {
  writer.end(true)
  writer.text('---')
  writer.end(true)
}

function openBlock(writer: MarkdownWriter, name: string): void {
  writer.end(true)
  if (/^h\d$/.test(name)) writer.mark(`${'#'.repeat(Number(name[1]))} `)
}

function wrapOf(name: string): string | undefined {
  switch (name) {
    case 'strong':
    case 'b':
      return '**'
    case 'em':
    case 'i':
      return '_'
    case 'code':
    case 'kbd':
    case 'samp':
      return '`'
    default:
      return undefined
  }
}

function resolveLink(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.length > 2_000 || href.startsWith('#')) return undefined
  const url = URL.parse(href, base)
  if (url === null || !/^(?:https?|mailto):$/.test(url.protocol)) return undefined
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29')
}

function imageOf(attributes: Attributes, base: string): string {
  const text = (attributes.get('alt') ?? '').replaceAll(/\s+/g, ' ').trim()
  if (text === '') return ''
  const link = resolveLink(attributes.get('src'), base)
  return link === undefined ? `[image: ${text}]` : `![${text}](${link})`
}
