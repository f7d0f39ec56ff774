import { Tokenizer } from 'htmlparser2'

export interface HtmlReader {
  open(name: string, attributes: ReadonlyMap<string, string>): void
  close(name: string): void
  text(text: string): void
}

export interface ReadHtmlOptions extends HtmlReader {
  /** Names of the attributes to report, in lower case. */
  readonly attributes: ReadonlySet<string>
}

/** Largest length of an attribute value; the rest is cut. No real address or description is longer. */
const MAX_VALUE_CHARACTERS = 4_000

/**
 * Reads HTML as tags and text, with lower-case names and decoded entities. It keeps no stack of open elements, so closing
 * tags are reported as written. The parser of htmlparser2 keeps one, at a cost that grows with the square of the nesting.
 */
export function readHtml(html: string, { attributes: wanted, ...reader }: ReadHtmlOptions): void {
  let name = ''
  let attribute = ''
  let value: string[] = []
  let attributes = new Map<string, string>()
  const opened = (): void => {
    reader.open(name, attributes)
    attributes = new Map()
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => void (name = html.slice(start, end).toLowerCase()),
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => reader.close(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => reader.text(html.slice(start, end)),
      ontextentity: codePoint => reader.text(String.fromCodePoint(codePoint)),
      onattribname(start, end) {
        attribute = end - start > 40 ? '' : html.slice(start, end).toLowerCase()
        value = []
      },
      onattribdata: (start, end) => void (wanted.has(attribute) && value.push(html.slice(start, end))),
      onattribentity: codePoint => void (wanted.has(attribute) && value.push(String.fromCodePoint(codePoint))),
      onattribend() {
        if (!wanted.has(attribute) || attributes.has(attribute)) return
        attributes.set(attribute, value.join('').slice(0, MAX_VALUE_CHARACTERS))
      },
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}
