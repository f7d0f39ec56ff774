import { isFields, type Fields } from '../decode/read-fields.ts'

/** The failure that a server reports, in one shape for all servers. A field is missing if the server does not send it. */
export interface ErrorBody {
  /** The message of the server; `''` if it sends none. */
  readonly message: string
  readonly type?: string | undefined
  readonly code?: string | undefined
  /** The HTTP status that the body states. */
  readonly status?: number | undefined
  /** The wait that the body asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/** Reads an error body: JSON text of any known shape, the HTML page of a proxy, plain text, or a parsed value. */
export function readErrorBody(body: unknown): ErrorBody {
  if (typeof body !== 'string') return fromValue(body)
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { message: squeeze(body.trimStart().startsWith('<') ? body.replaceAll(/<[^>]*>/g, ' ') : body) }
  }
  return fromValue(value)
}

function fromValue(value: unknown): ErrorBody {
  // Gemini sends its error inside an array if the request asked for a list of chunks.
  const outer = asFields(Array.isArray(value) ? value[0] : value)
  if (outer === undefined) return { message: value === undefined || value === null ? '' : squeeze(asText(value)) }
  const inner = asFields(outer['error']) ?? outer
  const message = messageOf(inner, outer)
  const { reason, retryAfterMs } = fromDetails(inner['details'])
  return {
    message,
    type: text(inner['type']) ?? text(inner['status']) ?? text(outer['type']),
    code: reason ?? text(inner['code']) ?? text(outer['code']),
    status: statusOf(inner['code']) ?? statusOf(inner['status_code']) ?? statusOf(outer['status_code']),
    retryAfterMs: retryAfterMs ?? fromWords(message),
  }
}

function messageOf(inner: Fields, outer: Fields): string {
  const stated = inner['message'] ?? outer['message'] ?? outer['error'] ?? outer['detail'] ?? outer['errors']
  const base = stated === undefined || stated === null ? asText(outer) : asText(stated)
  // OpenRouter adds the message of the server behind it. Groq adds the tool call that it rejected.
  const extra = text(asFields(inner['metadata'])?.['raw']) ?? text(inner['failed_generation'])
  return squeeze(extra === undefined || base.includes(extra) ? base : `${base} ${extra}`)
}

function fromDetails(details: unknown): { readonly reason?: string | undefined; readonly retryAfterMs?: number } {
  if (!Array.isArray(details)) return {}
  const found: { reason?: string | undefined; retryAfterMs?: number } = {}
  for (const detail of details) {
    const { reason, retryDelay } = asFields(detail) ?? {}
    found.reason ??= text(reason)
    const seconds = typeof retryDelay === 'string' && retryDelay.endsWith('s') ? Number.parseFloat(retryDelay) : NaN
    if (Number.isFinite(seconds)) found.retryAfterMs = seconds * 1000
  }
  return found
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Reads the wait from a message: `Please try again in 6m0.5s` → 360500. */
function fromWords(message: string): number | undefined {
  const wait = /try again in ((?:\d+(?:\.\d+)?(?:ms|h|m|s))+)/i.exec(message)?.[1]
  if (wait === undefined) return undefined
  let ms = 0
  for (const [, amount, unit] of wait.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/gi))
    ms += Number(amount) * (UNIT_MS[(unit ?? '').toLowerCase()] ?? 0)
  return ms
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined
}

function asFields(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function squeeze(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim()
}
