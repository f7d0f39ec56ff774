import type { ContentfulStatusCode } from 'hono/utils/http-status'

export interface ProblemOptions {
  /** For the client: no path, address or internals. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request that is answered with an HTTP error. Thrown by routes, written by `answerProblem`. */
export class Problem extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: ContentfulStatusCode, code: string, { message, headers = {} }: ProblemOptions) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** What is not there, and what belongs to others: one answer for both. */
export function notFound(what: string): Problem {
  return new Problem(404, 'RESOURCE_NOT_FOUND', { message: `There is no such ${what}.` })
}
