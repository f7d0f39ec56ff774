import { DEEPEST_NESTING, templateFault } from './template-fault.ts'

export type MustacheNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string }
  | {
      readonly type: 'section'
      readonly name: string
      readonly inverted: boolean
      readonly body: readonly MustacheNode[]
    }

interface Tag {
  readonly sigil: string
  readonly name: string
  readonly at: number
  readonly end: number
}

interface Section {
  readonly opening: Tag
  readonly nodes: MustacheNode[]
}

/**
 * Parses a template with variables, sections, inverted sections, comments and custom delimiters. A line that contains only a section
 * tag or a comment is removed.
 * @throws ParleyError `config-invalid` with the line of a syntax error or of a partial.
 */
export function parseMustache(source: string): readonly MustacheNode[] {
  const root: MustacheNode[] = []
  const open: Section[] = []
  let nodes = root
  let delimiters: readonly [string, string] = ['{{', '}}']
  let from = 0
  for (;;) {
    const tag = nextTag(source, from, delimiters)
    const alone = tag === undefined || tag.sigil === '' || tag.sigil === '&' ? undefined : lineAround(source, from, tag)
    const text = source.slice(from, alone?.start ?? tag?.at ?? source.length)
    if (text !== '') nodes.push({ type: 'text', text })
    if (tag === undefined) break
    from = alone?.end ?? tag.end
    switch (tag.sigil) {
      case '!':
        break
      case '=':
        delimiters = readDelimiters(source, tag)
        break
      case '#':
      case '^':
        if (open.length >= DEEPEST_NESTING)
          throw templateFault(source, tag.at, `sections nest more than ${DEEPEST_NESTING} deep.`)
        open.push({ opening: tag, nodes })
        nodes = []
        break
      case '/': {
        const section = open.pop()
        if (section === undefined || section.opening.name !== tag.name)
          throw templateFault(source, tag.at, `'${tag.name}' closes no open section.`)
        section.nodes.push({ type: 'section', name: tag.name, inverted: section.opening.sigil === '^', body: nodes })
        nodes = section.nodes
        break
      }
      case '>':
        throw templateFault(
          source,
          tag.at,
          `the partial '${tag.name}' is not allowed: a prompt cannot include other templates.`,
        )
      default:
        nodes.push({ type: 'variable', name: tag.name })
    }
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined)
    throw templateFault(source, unclosed.opening.at, `the section '${unclosed.opening.name}' is not closed.`)
  return root
}

function nextTag(source: string, from: number, [open, close]: readonly [string, string]): Tag | undefined {
  const at = source.indexOf(open, from)
  if (at < 0) return undefined
  const inner = at + open.length
  const isTriple = open === '{{' && source[inner] === '{'
  const ending = isTriple ? '}}}' : source[inner] === '=' ? `=${close}` : close
  const end = source.indexOf(ending, isTriple ? inner + 1 : inner)
  if (end < 0) throw templateFault(source, at, `'${open}' is not closed by '${ending}'.`)
  const first = source[inner] ?? ''
  const sigil = isTriple ? '&' : '#^/!>=&'.includes(first) && first !== '' ? first : ''
  const name = source.slice(inner + (isTriple ? 1 : sigil.length), end).trim()
  if (name === '' && sigil !== '!') throw templateFault(source, at, 'a tag has no name.')
  return { sigil, name, at, end: end + ending.length }
}

/** Returns the whole line of a tag if the line contains nothing else. */
function lineAround(
  source: string,
  from: number,
  tag: Tag,
): { readonly start: number; readonly end: number } | undefined {
  let start = tag.at
  while (start > from && isBlank(source[start - 1])) start--
  if (start > 0 && source[start - 1] !== '\n') return undefined
  let end = tag.end
  while (isBlank(source[end])) end++
  if (end === source.length) return { start, end }
  if (source.startsWith('\r\n', end)) return { start, end: end + 2 }
  return source[end] === '\n' ? { start, end: end + 1 } : undefined
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

function readDelimiters(source: string, { name, at }: Tag): readonly [string, string] {
  const [open, close, ...rest] = name.split(/\s+/)
  if (open === undefined || close === undefined || rest.length > 0 || `${open}${close}`.includes('='))
    throw templateFault(source, at, 'delimiters must be set as {{=<% %>=}}.')
  return [open, close]
}
