/** An error that the user can repair. Its message says what is wrong, where, and what to do. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}
