import type { Context } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { checkId } from '../limits/check-id.ts'
import { parseJson, readText } from '../limits/read-json.ts'
import { RunAttempt } from '../state/run-attempt.ts'
import type { ServerContext } from '../state/server-context.ts'
import { deriveRunId, hashOf } from './derive-run-id.ts'

export interface ReadAttempt {
  /** The body of the request, parsed. */
  readonly body: unknown
  readonly attempt: RunAttempt
}

/**
 * Reads a request that begins a run.
 * @throws Problem 400 if the body or the header `Idempotency-Key` is invalid, 413 if the body is too large.
 */
export async function readAttempt(context: Context<ServerEnv>, server: ServerContext): Promise<ReadAttempt> {
  const key = context.req.header('idempotency-key')
  checkId('Idempotency-Key', key)
  const text = await readText(context.req.raw, server.limits.maxBodyBytes)
  const body = parseJson(text, server.limits)
  const client = context.get('client')
  const owner = [client.scope, client.name]
  const attempt = new RunAttempt({
    hash: hashOf([...owner, context.req.path, text]),
    runId: key === undefined ? undefined : deriveRunId([...owner, key]),
    // The OpenAI SDKs count their retries.
    isRetry: /^[1-9]/.test(context.req.header('x-stainless-retry-count') ?? ''),
  })
  const { signal } = context.req.raw
  if (signal.aborted) attempt.leave()
  else signal.addEventListener('abort', () => attempt.leave(), { once: true })
  context.set('attempt', attempt)
  return { body, attempt }
}

/** An attempt of a request whose body was read by an earlier process, which kept its hash in the run's journal. */
export function attemptOf(hash: string): RunAttempt {
  return new RunAttempt({ hash })
}
