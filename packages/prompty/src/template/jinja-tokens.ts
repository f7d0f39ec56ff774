import type { JinjaToken } from './tokenize-jinja.ts'
import { templateFault } from './template-fault.ts'

/** Reads the tokens of one output or tag in order. */
export class JinjaTokens {
  readonly #source: string
  readonly #tokens: readonly JinjaToken[]
  /** Position for an error after the last token. */
  readonly #at: number
  #next = 0

  constructor(source: string, tokens: readonly JinjaToken[], at: number) {
    this.#source = source
    this.#tokens = tokens
    this.#at = at
  }

  /** The next token. `undefined` after the last one. */
  get next(): JinjaToken | undefined {
    return this.#tokens[this.#next]
  }

  /** The token after `next`. */
  get second(): JinjaToken | undefined {
    return this.#tokens[this.#next + 1]
  }

  /** Position of the next token in the template. */
  get offset(): number {
    return this.next?.at ?? this.#at
  }

  /** Tells whether the next token is this name or symbol. */
  is(text: string): boolean {
    const { next } = this
    return next !== undefined && next.text === text && next.type !== 'string' && next.type !== 'number'
  }

  /** Consumes the next token if it is this name or symbol. */
  take(text: string): boolean {
    const taken = this.is(text)
    if (taken) this.skip()
    return taken
  }

  takeName(): string {
    const { next } = this
    if (next?.type !== 'name') return this.fail('a name is missing')
    this.skip()
    return next.text
  }

  /** Consumes the next tokens. */
  skip(count = 1): void {
    this.#next += count
  }

  /** Throws if a token is left. */
  end(): void {
    if (this.next !== undefined) this.fail('is not expected here')
  }

  /** Throws an error at the next token. */
  fail(problem: string): never {
    const { next } = this
    const shown = next === undefined ? 'the expression ends too early' : `'${next.text.slice(0, 40)}'`
    throw templateFault(this.#source, this.offset, `${shown}: ${problem}.`)
  }
}
