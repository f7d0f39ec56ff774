import type { MarkdownWriter } from './markdown-writer.ts'

/** Tracks the open lists. Their items may end without a closing tag. */
export interface HtmlLists {
  /** Takes an opening tag `ul`, `ol` or `li`. */
  open(name: 'ul' | 'ol' | 'li'): void
  close(name: 'ul' | 'ol' | 'li'): void
}

interface List {
  readonly ordered: boolean
  count: number
  inItem: boolean
}

export function createLists(writer: MarkdownWriter): HtmlLists {
  const lists: List[] = []

  function closeItem(list: List | undefined): void {
    writer.end(false)
    if (list?.inItem !== true) return
    list.inItem = false
    writer.indent(-1)
  }

  return {
    open(name) {
      const list = lists.at(-1)
      if (name !== 'li') {
        writer.end(list === undefined)
        lists.push({ ordered: name === 'ol', count: 0, inItem: false })
        return
      }
      closeItem(list)
      if (list === undefined) return writer.mark('- ')
      list.inItem = true
      list.count++
      writer.indent(1)
      writer.mark(list.ordered ? `${list.count}. ` : '- ')
    },
    close(name) {
      if (name === 'li') return closeItem(lists.at(-1))
      closeItem(lists.pop())
      writer.end(lists.length === 0)
    },
  }
}
