import type { JinjaExpression } from './jinja-expression.ts'
import { tokenizeJinja, type JinjaPiece } from './tokenize-jinja.ts'
import { JinjaTokens } from './jinja-tokens.ts'
import { JinjaExpressionParser } from './parse-jinja-expression.ts'
import { DEEPEST_NESTING, templateFault } from './template-fault.ts'

export type JinjaNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'output'; readonly expression: JinjaExpression; readonly at: number }
  | { readonly type: 'if'; readonly branches: readonly JinjaBranch[]; readonly otherwise: readonly JinjaNode[] }
  | {
      readonly type: 'for'
      readonly name: string
      readonly items: JinjaExpression
      readonly body: readonly JinjaNode[]
      readonly otherwise: readonly JinjaNode[]
      readonly at: number
    }

export interface JinjaBranch {
  readonly condition: JinjaExpression
  readonly body: readonly JinjaNode[]
}

/** Parses a template. @throws ParleyError `config-invalid` with the line of a syntax error. */
export function parseJinja(source: string): readonly JinjaNode[] {
  return new JinjaParser(source).parse()
}

type TagPiece = Extract<JinjaPiece, { type: 'output' | 'tag' }>

interface Tag {
  readonly word: string
  readonly tokens: JinjaTokens
  readonly at: number
}

/** Parses the rest of the tokens as one expression. */
function onlyExpression(tokens: JinjaTokens): JinjaExpression {
  const expression = new JinjaExpressionParser(tokens).expression()
  tokens.end()
  return expression
}

class JinjaParser {
  readonly #source: string
  readonly #pieces: readonly JinjaPiece[]
  #next = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#pieces = tokenizeJinja(source)
  }

  parse(): readonly JinjaNode[] {
    const { nodes, stop } = this.#block([])
    if (stop !== undefined) throw templateFault(this.#source, stop.at, `'${stop.word}' closes no open tag.`)
    return nodes
  }

  /** Returns the nodes before one of these tags, and that tag; `undefined` at the end of the template. */
  #block(until: readonly string[]): { readonly nodes: readonly JinjaNode[]; readonly stop: Tag | undefined } {
    const nodes: JinjaNode[] = []
    while (this.#next < this.#pieces.length) {
      const piece = this.#pieces[this.#next++] as JinjaPiece
      if (piece.type === 'text') nodes.push(piece)
      else if (piece.type === 'output') nodes.push(this.#output(piece))
      else {
        const tag = this.#tag(piece)
        if (until.includes(tag.word)) return { nodes, stop: tag }
        if (tag.word === 'if') nodes.push(this.#if(tag))
        else if (tag.word === 'for') nodes.push(this.#for(tag))
        else if (CLOSERS.has(tag.word)) return { nodes, stop: tag }
        else throw templateFault(this.#source, tag.at, `the tag '${tag.word}' is unknown; known: if, for, raw.`)
      }
    }
    return { nodes, stop: undefined }
  }

  #tag(piece: TagPiece): Tag {
    const tokens = new JinjaTokens(this.#source, piece.tokens, piece.at)
    return { word: tokens.takeName(), tokens, at: piece.at }
  }

  #output({ tokens, at }: TagPiece): JinjaNode {
    const expression = onlyExpression(new JinjaTokens(this.#source, tokens, at))
    return { type: 'output', expression, at }
  }

  #if(opening: Tag): JinjaNode {
    this.#enter(opening)
    const branches: JinjaBranch[] = []
    let otherwise: readonly JinjaNode[] = []
    let tag = opening
    for (;;) {
      const condition = onlyExpression(tag.tokens)
      const { nodes, stop } = this.#block(['elif', 'else', 'endif'])
      branches.push({ condition, body: nodes })
      tag = this.#closing(stop, opening, 'endif')
      if (tag.word === 'elif') continue
      tag.tokens.end()
      if (tag.word === 'else') {
        const last = this.#block(['endif'])
        otherwise = last.nodes
        this.#closing(last.stop, opening, 'endif').tokens.end()
      }
      this.#depth--
      return { type: 'if', branches, otherwise }
    }
  }

  #for(opening: Tag): JinjaNode {
    this.#enter(opening)
    const { tokens, at } = opening
    const name = tokens.takeName()
    if (!tokens.take('in')) throw templateFault(this.#source, at, "'for' must read 'for item in items'.")
    const items = onlyExpression(tokens)
    const body = this.#block(['else', 'endfor'])
    const middle = this.#closing(body.stop, opening, 'endfor')
    middle.tokens.end()
    let otherwise: readonly JinjaNode[] = []
    if (middle.word === 'else') {
      const last = this.#block(['endfor'])
      otherwise = last.nodes
      this.#closing(last.stop, opening, 'endfor').tokens.end()
    }
    this.#depth--
    return { type: 'for', name, items, body: body.nodes, otherwise, at }
  }

  #enter({ at }: Tag): void {
    if (++this.#depth > DEEPEST_NESTING)
      throw templateFault(this.#source, at, `blocks nest more than ${DEEPEST_NESTING} deep.`)
  }

  #closing(stop: Tag | undefined, opening: Tag, word: string): Tag {
    const fits =
      stop !== undefined && (stop.word === word || stop.word === 'else' || (stop.word === 'elif' && word === 'endif'))
    if (fits) return stop
    throw templateFault(this.#source, opening.at, `'${opening.word}' is not closed by '{% ${word} %}'.`)
  }
}

const CLOSERS = new Set(['elif', 'else', 'endif', 'endfor'])
