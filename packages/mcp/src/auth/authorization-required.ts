/** The challenge of a response with status 401 or 403: what the server requires. */
export interface AuthorizationChallenge {
  /** URL of the server's resource metadata, if the challenge names it. */
  readonly resourceMetadataUrl?: URL | undefined
  /** All scopes that the next token needs, separated by spaces. */
  readonly scope?: string | undefined
  /** The access token that the server refused. */
  readonly refusedToken?: string | undefined
}

/** Thrown through the SDK to the code that may ask the user. */
export class AuthorizationRequired extends Error {
  override readonly name = 'AuthorizationRequired'
  readonly challenge: AuthorizationChallenge

  constructor(challenge: AuthorizationChallenge, message: string) {
    super(message)
    this.challenge = challenge
  }
}

/** Finds the `AuthorizationRequired` in an error's chain of causes: the SDK wraps errors. */
export function findAuthorizationRequired(error: unknown): AuthorizationRequired | undefined {
  let next = error
  for (let depth = 0; next instanceof Error && depth < 8; depth += 1) {
    if (next instanceof AuthorizationRequired) return next
    next = next.cause
  }
  return undefined
}
