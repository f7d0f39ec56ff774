import { ParleyError, systemClock, type ApprovalDecision, type ApprovalRequest } from '@parley/core'
import type { ApprovalHandler } from '../agent/agent.ts'
import { toDecision } from './to-decision.ts'

export interface WebhookApprovalOptions {
  /** `https:`, or `http:` on this machine. */
  readonly url: string
  /** Signs each request: `whsec_` and base64, as Standard Webhooks (standardwebhooks.com) has it. */
  readonly secret: string
  /** For the decision, tries and the waits between them included. @default 300_000 */
  readonly timeoutMs?: number | undefined
  /** Tries after one that reached nobody, or met HTTP 408, 429 or 5xx; the message's id stays the same. @default 2 */
  readonly retries?: number | undefined
  /** The wait before the second try, and twice as long each time after that. @default 1_000 */
  readonly retryDelayMs?: number | undefined
  /** @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** @default the platform's */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds since the epoch, for the signature. @default the machine's */
  readonly now?: (() => number) | undefined
}

/**
 * Asks a web service about calls that need approval, and waits for its answer. It is sent `{ type: 'approval.requested',
 * data: { request, run } }`, signed; it answers with a decision as JSON, `{ "type": "approved" }` say. An answer that is no
 * decision, a redirect, and a failure that does not pass reject the call, with the reason; no answer in time times it out.
 * @throws ParleyError `config-invalid`.
 */
export function webhookApproval(options: WebhookApprovalOptions): ApprovalHandler {
  const { url, secret, timeoutMs = 300_000, headers = {}, fetch = globalThis.fetch, now = systemClock.now } = options
  const { retries = 2, retryDelayMs = 1_000 } = options
  checkUrl(url)
  const key = secretKey(secret)
  if (!(timeoutMs > 0)) refuse('timeoutMs', `is ${timeoutMs}, it must be above 0`)
  if (!(Number.isInteger(retries) && retries >= 0))
    refuse('retries', `is ${retries}, it must be a whole number, 0 or more`)
  if (!(retryDelayMs >= 0)) refuse('retryDelayMs', `is ${retryDelayMs}, it must be 0 or more milliseconds`)

  async function ask({ request, data, signal }: Question): Promise<Reply> {
    const timestamp = Math.floor(now() / 1000)
    const sentAt = new Date(timestamp * 1000).toISOString()
    const body = JSON.stringify({ type: 'approval.requested', timestamp: sentAt, data })
    try {
      const response = await fetch(url, {
        method: 'POST',
        // A redirect could lead the request, signed as it is, anywhere.
        redirect: 'manual',
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(await sign(await key, { request, timestamp, body })),
        },
        body,
        signal,
      })
      return await readReply(response)
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      return { decision: rejected(`could not be asked: ${cause}`), mayPass: true }
    }
  }

  return async (request, { run, signal }) => {
    const { runId, sessionId, agent, scope, path, principal } = run
    const facts = { runId, sessionId, agent, scope, path, ...(principal === undefined ? {} : { principal }) }
    const timeout = AbortSignal.timeout(timeoutMs)
    const stop = AbortSignal.any([signal, timeout])
    for (let failures = 0; ; failures++) {
      const { decision, mayPass } = await ask({ request, data: { request, run: facts }, signal: stop })
      if (!mayPass) return decision
      if (timeout.aborted) return { type: 'timed-out' }
      if (failures >= retries || signal.aborted) return decision
      await pause(retryDelayMs * 2 ** failures, stop)
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
  /** Whether asking once more may bring another. */
  readonly mayPass: boolean
}

function rejected(detail: string): ApprovalDecision {
  return { type: 'rejected', reason: `the approval service ${detail}` }
}

/** Ends early when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const callOff = systemClock.after(ms, resolve)
    const onAbort = (): void => {
      callOff()
      resolve()
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Not every platform's types name it. */
type HmacKey = Parameters<typeof crypto.subtle.sign>[1]

interface Signed {
  readonly request: ApprovalRequest
  /** Seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of Standard Webhooks. The id is the approval's: a repeated request is the same message. */
async function sign(key: HmacKey, { request, timestamp, body }: Signed): Promise<Record<string, string>> {
  const content = new TextEncoder().encode(`${request.approvalId}.${timestamp}.${body}`)
  const signature = await crypto.subtle.sign('HMAC', key, content)
  return {
    'webhook-id': request.approvalId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  }
}

async function readReply(response: Response): Promise<Reply> {
  const { ok, status } = response
  const text = await response.text()
  if (!ok) {
    const mayPass = status >= 500 || status === 429 || status === 408
    return { decision: rejected(`answered with HTTP ${status}.`), mayPass }
  }
  const final = (decision: ApprovalDecision): Reply => ({ decision, mayPass: false })
  try {
    return final(toDecision(JSON.parse(text)) ?? rejected('answered with something that is no decision.'))
  } catch {
    return final(rejected('answered with something that is no JSON.'))
  }
}

function checkUrl(url: string): void {
  if (!URL.canParse(url)) refuse('url', `'${url}' is no URL`)
  const { protocol, hostname, username } = new URL(url)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && local))
    refuse('url', 'must be https:, or http: on this machine')
  if (username !== '') refuse('url', 'must not hold a user name; put credentials into headers')
}

function secretKey(secret: string): Promise<HmacKey> {
  const encoded = secret.replace(/^whsec_/, '')
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = Uint8Array.from(atob(encoded), char => char.charCodeAt(0))
  } catch {
    refuse('secret', 'is not base64')
  }
  if (bytes.length < 24) refuse('secret', `has ${bytes.length} bytes, it must have at least 24`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function refuse(field: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: `webhookApproval.${field}`, detail })
}
