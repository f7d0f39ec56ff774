import { ParleyError } from '@parley/core'
import { findForgedRole } from '../format/role-marker.ts'

/** A piece of a rendered template: the template's own text, or the text of a value. */
export interface Segment {
  /** 'literal' for the template's own text, 'interp' for a value. */
  readonly kind: 'literal' | 'interp'
  readonly text: string
  /** The input that the value comes from. `null` for text of the template, and for values that the template made. */
  readonly source: string | null
  /** Whether `source` is among the strict inputs. */
  readonly strict: boolean
}

const FREE_STEPS = 1_000_000
const MOST_CHARACTERS = 64 * 1024 * 1024

export interface SegmentWriterOptions {
  /** Length of the template. A longer template may take more steps. @default 0 */
  readonly templateLength?: number | undefined
  /** Inputs whose text must not look like a role marker. @default none */
  readonly strictProps?: readonly string[] | undefined
  /** Whether a value that renders to an empty text still makes a segment. @default false */
  readonly keepEmpty?: boolean | undefined
}

/** Collects the segments of a template, and limits their size and the work for them. */
export class SegmentWriter {
  readonly segments: Segment[] = []
  readonly #strict: ReadonlySet<string>
  readonly #keepEmpty: boolean
  #literal: string[] = []
  readonly #mostSteps: number
  #steps = 0
  #characters = 0

  constructor({ templateLength = 0, strictProps = [], keepEmpty = false }: SegmentWriterOptions) {
    this.#mostSteps = FREE_STEPS + templateLength
    this.#keepEmpty = keepEmpty
    this.#strict = new Set(strictProps)
  }

  /** Counts work. @throws ParleyError `config-invalid` if a template takes too many steps. */
  step(count = 1): void {
    this.#steps += count
    if (this.#steps > this.#mostSteps) refuse(`takes more than ${this.#mostSteps} steps. Loop over less.`)
  }

  /** Adds text of the template. */
  literal(text: string): void {
    if (text === '') return
    this.#count(text)
    this.#literal.push(text)
  }

  /** Adds the text of a value. `sources` are the inputs that it comes from; the segment is named after the first. */
  interpolation(text: string, sources: readonly string[]): void {
    if (text === '' && !this.#keepEmpty) return
    this.#count(text)
    const strictSource = sources.find(source => this.#strict.has(source))
    const forged = strictSource === undefined ? undefined : findForgedRole(text)
    if (forged !== undefined)
      refuse(
        `strict violation: the value of '${strictSource}' has a line that looks like a role marker ('${forged}'), possible prompt injection.`,
      )
    this.#endLiteral()
    this.segments.push({ kind: 'interp', text, source: sources[0] ?? null, strict: strictSource !== undefined })
  }

  end(): readonly Segment[] {
    this.#endLiteral()
    return this.segments
  }

  #endLiteral(): void {
    if (this.#literal.length === 0) return
    this.segments.push({ kind: 'literal', text: this.#literal.join(''), source: null, strict: false })
    this.#literal = []
  }

  #count(text: string): void {
    this.#characters += text.length
    if (this.#characters > MOST_CHARACTERS) refuse(`renders to more than ${MOST_CHARACTERS} characters.`)
  }
}

function refuse(detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: 'template', detail })
}
