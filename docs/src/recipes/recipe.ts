/** A page about one task, with the code of an example that a test runs. */
export interface Recipe {
  /** Name of the page, for example `crash-and-resume`. */
  readonly slug: string
  readonly title: string
  /** What the example shows, in a few sentences of Markdown. */
  readonly text: string
  /** Path of the example from the root of the repository. */
  readonly example: string
  /** Regions to show, in this order. @default the whole file */
  readonly regions?: readonly string[]
  /** Pages that say more, as Markdown links. */
  readonly more: readonly string[]
}
