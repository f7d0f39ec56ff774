/** What a server asked for when it refused a request for want of authority. */
export interface AuthorizationChallenge {
  /** Where the server's metadata is, if it said so. */
  readonly resourceMetadataUrl?: URL | undefined
  /** All scopes that are wanted from now on. */
  readonly scope?: string | undefined
  /** The token it refused. */
  readonly refused?: string | undefined
}

/** Thrown through the SDK, to whoever may ask a person. */
export class AuthorizationRequired extends Error {
  override readonly name = 'AuthorizationRequired'
  readonly need: AuthorizationChallenge

  constructor(need: AuthorizationChallenge, message: string) {
    super(message)
    this.need = need
  }
}

/** The need behind an error, however the SDK wrapped it. */
export function findAuthorizationRequired(error: unknown): AuthorizationRequired | undefined {
  let next = error
  for (let depth = 0; next instanceof Error && depth < 8; depth += 1) {
    if (next instanceof AuthorizationRequired) return next
    next = next.cause
  }
  return undefined
}
