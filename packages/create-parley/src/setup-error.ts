/** An error that the user can repair. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
  /** What is wrong: a flag, a folder or a file. */
  readonly where: string
  /** The problem, and what to do. */
  readonly detail: string

  constructor(where: string, detail: string) {
    super(`${where}: ${detail}`)
    this.where = where
    this.detail = detail
  }
}
