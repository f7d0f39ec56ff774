import { toAgentError, toHttpStatus } from '@parley/agent-api'
import { ParleyError } from '@parley/core'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Problem } from './problem.ts'

/** Whatever a route threw, as an HTTP error. What nobody foresaw says nothing of itself. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException && error.status < 500)
    return new Problem(error.status, 'BAD_REQUEST', { message: 'The request cannot be read.' })
  const info = ParleyError.is(error) ? error.info : ({ code: 'internal', detail: '' } as const)
  const { code, message } = toAgentError(info)
  return new Problem(toHttpStatus(info) as ContentfulStatusCode, code, { message })
}
