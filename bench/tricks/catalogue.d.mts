/** A performance trick, and the replacements in the sources that restore the plain code. */
export interface Trick {
  readonly name: string
  readonly undo: readonly { readonly file: string; readonly from: string; readonly to: string }[]
}

export const TRICKS: readonly Trick[]
