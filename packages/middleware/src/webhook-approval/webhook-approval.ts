import {
  backoffMs,
  checkOptions,
  checkNumber,
  checkRetryPolicy,
  ParleyError,
  readLimitedText,
  retryAfterOf,
  systemClock,
  type ApprovalDecision,
  type ApprovalHandler,
  type ApprovalRequest,
  type OptionKinds,
  type RetryPolicy,
} from '@parley/core'
import { wait } from '../clock/wait.ts'
import { toDecision } from './to-decision.ts'

export interface WebhookApprovalOptions {
  /** Address of the service. Must be `https:`, or `http:` on this machine. */
  readonly url: string
  /** Key that signs each request: `whsec_` and base64 of at least 24 bytes, as in Standard Webhooks (standardwebhooks.com). */
  readonly secret: string
  /**
   * Maximum milliseconds until the decision, including retries and the waits between them. After them the decision is
   * `timed-out`. @default 300_000
   */
  readonly timeoutMs?: number | undefined
  /**
   * When a question is repeated: the service is unreachable, or answers with HTTP 408, 429 or 5xx, perhaps with `Retry-After`.
   * @default 2 retries, after 1_000 ms
   */
  readonly retry?: RetryPolicy | undefined
  /** HTTP headers to send with each request. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sends the requests. @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Returns the time of the signature in milliseconds since the epoch. @default the system clock */
  readonly now?: (() => number) | undefined
}

const OPTIONS: OptionKinds<WebhookApprovalOptions> = {
  url: 'string!',
  secret: 'string!',
  timeoutMs: 'number',
  retry: 'object',
  headers: 'object',
  fetch: 'function',
  now: 'function',
}

/**
 * Creates an approval handler that asks a web service and waits for its answer. The service receives the signed JSON
 * `{ type: 'approval.requested', timestamp, data: { request, run } }` and answers with a decision as JSON, for example
 * `{ "type": "approved" }`. An invalid decision, a redirect and a permanent failure reject the call. If the service
 * does not answer in time, the decision is `timed-out`.
 * @throws ParleyError `config-invalid` if an option is invalid; the error names it.
 */
export function webhookApproval(options: WebhookApprovalOptions): ApprovalHandler {
  checkOptions('webhookApproval', options, OPTIONS)
  const { url, secret, timeoutMs = 300_000, headers = {}, fetch = globalThis.fetch, now = systemClock.now } = options
  const { initialDelayMs = 1_000, maxRetries = 2, maxWaitMs = 60_000 } = options.retry ?? {}
  const backoff = { ...options.retry, initialDelayMs }
  checkUrl(url)
  const key = secretKey(secret)
  checkNumber({ path: 'webhookApproval.timeoutMs', value: timeoutMs, unit: 'milliseconds' })
  checkRetryPolicy(options.retry ?? {}, 'webhookApproval.retry')

  async function ask({ request, data, signal }: Question): Promise<Reply> {
    const timestamp = Math.floor(now() / 1000)
    const sentAt = new Date(timestamp * 1000).toISOString()
    const body = JSON.stringify({ type: 'approval.requested', timestamp: sentAt, data })
    try {
      const response = await fetch(url, {
        method: 'POST',
        // A redirect could send the signed request to any server.
        redirect: 'manual',
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(await sign(await key, { request, timestamp, body })),
        },
        body,
        signal,
      })
      return await readReply(response, now())
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      return { decision: rejected(`could not be asked: ${cause}`), retryable: true }
    }
  }

  return async (request, { run, signal }) => {
    const { runId, sessionId, agent, scope, path, principal } = run
    const facts = { runId, sessionId, agent, scope, path, ...(principal === undefined ? {} : { principal }) }
    const timeout = AbortSignal.timeout(timeoutMs)
    const stop = AbortSignal.any([signal, timeout])
    for (let failures = 1; ; failures++) {
      const {
        decision,
        retryable,
        waitMs = backoffMs(failures, Math.random(), backoff),
      } = await ask({ request, data: { request, run: facts }, signal: stop })
      if (!retryable) return decision
      if (timeout.aborted) return { type: 'timed-out' }
      if (failures > maxRetries || waitMs > maxWaitMs || signal.aborted) return decision
      // An abort only ends the wait early: the signals are checked below and by the next attempt.
      await wait(systemClock, waitMs, stop).catch(() => {})
      if (timeout.aborted) return { type: 'timed-out' }
    }
  }
}

interface Question {
  readonly request: ApprovalRequest
  readonly data: object
  readonly signal: AbortSignal
}

interface Reply {
  readonly decision: ApprovalDecision
  /** Whether another attempt may succeed. */
  readonly retryable: boolean
  /** Milliseconds that the service asks to wait. */
  readonly waitMs?: number | undefined
}

function rejected(detail: string): ApprovalDecision {
  return { type: 'rejected', reason: `the approval service ${detail}` }
}

/** `CryptoKey`, which the types of some platforms do not declare. */
type HmacKey = Parameters<typeof crypto.subtle.sign>[1]

interface Signed {
  readonly request: ApprovalRequest
  /** Seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

/** Returns the headers of Standard Webhooks. The message id is the approval's id, so a retry is the same message. */
async function sign(key: HmacKey, { request, timestamp, body }: Signed): Promise<Record<string, string>> {
  const content = new TextEncoder().encode(`${request.approvalId}.${timestamp}.${body}`)
  const signature = await crypto.subtle.sign('HMAC', key, content)
  return {
    'webhook-id': request.approvalId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  }
}

const LONGEST_REPLY = 1024 * 1024

async function readReply(response: Response, now: number): Promise<Reply> {
  const { ok, status } = response
  const { text, cut } = await readLimitedText(response, LONGEST_REPLY)
  if (!ok) {
    const retryable = status >= 500 || status === 429 || status === 408
    return {
      decision: rejected(`answered with HTTP ${status}.`),
      retryable,
      waitMs: retryAfterOf(response.headers, now),
    }
  }
  const final = (decision: ApprovalDecision): Reply => ({ decision, retryable: false })
  if (cut) return final(rejected(`answered with more than ${LONGEST_REPLY} bytes.`))
  try {
    return final(toDecision(JSON.parse(text)) ?? rejected('answered with an invalid decision.'))
  } catch {
    return final(rejected('answered with invalid JSON.'))
  }
}

function checkUrl(url: string): void {
  if (!URL.canParse(url)) refuse('url', `is '${url}'; must be a URL`)
  const { protocol, hostname, username } = new URL(url)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && local))
    refuse('url', 'must be https:, or http: on this machine')
  if (username !== '') refuse('url', 'must not contain a user name; put credentials into headers')
}

function secretKey(secret: string): Promise<HmacKey> {
  const encoded = secret.replace(/^whsec_/, '')
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = Uint8Array.from(atob(encoded), char => char.charCodeAt(0))
  } catch {
    refuse('secret', 'must be base64')
  }
  if (bytes.length < 24) refuse('secret', `has ${bytes.length} bytes; must have at least 24`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function refuse(field: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: `webhookApproval.${field}`, detail })
}
