/** Text of HTML. Only `html` makes it, so that every other text is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | undefined | readonly Piece[]

/** Builds HTML from a template. Values are escaped unless they are HTML; `undefined` is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(parts.reduce((text, part, index) => text + toText(values[index - 1]) + part))
}

function toText(piece: Piece): string {
  if (piece === undefined) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(toText).join('')
  return String(piece).replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
