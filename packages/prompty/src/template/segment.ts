/** A piece of a rendered template: the author's own text, or what a value became. */
export interface Segment {
  readonly kind: 'literal' | 'interp'
  readonly text: string
  /** The input a value came from; null for the author's own text and for what the template made itself. */
  readonly source: string | null
  /** Whether `source` is among the strict inputs. */
  readonly strict: boolean
}
