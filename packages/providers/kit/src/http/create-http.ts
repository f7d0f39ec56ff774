import {
  checkOptions,
  checkRetryPolicy,
  ParleyError,
  type ModelEvent,
  type RetryPolicy,
  type OptionKinds,
} from '@parley/core'
import type { AnswerContext, AnswerDecoder } from '../decode/answer-decoder.ts'
import type { BodyFormat } from '../decode/create-body-reader.ts'
import { createCallScope, type CallScope } from '../deadlines/create-call-scope.ts'
import { createErrorFactory, type ErrorFactory } from '../errors/create-error-factory.ts'
import { createPullStream, type PullSink } from './create-pull-stream.ts'
import { createPlatformFetch } from '../transport/create-platform-fetch.ts'
import type { HttpFetch } from '../transport/http-fetch.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { isVisibleEvent } from '../retry/is-retryable.ts'
import { retryDelay } from '../retry/retry-delay.ts'
import { querySecretsOf, redact, secretsOf } from '../errors/redact.ts'
import { runAttempt } from './run-attempt.ts'
import { sleep as sleepFor } from '../retry/sleep.ts'
import { withDefaultTimeouts, type Timeouts } from '../deadlines/timeouts.ts'

export interface HttpOptions {
  /** Name of the provider, for error messages. */
  readonly provider: string
  /** Address to which the paths of calls are added. Its query string is sent with each call. */
  readonly baseUrl: string
  /**
   * Additional headers of each call. If the name of a header suggests a secret, its value never appears in an error.
   * @default {}
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Statuses that mean, without a body, that the conversation is too long for the model. @default [] */
  readonly overflowStatuses?: readonly number[] | undefined
  /** Sends the requests. @default createPlatformFetch() */
  readonly fetch?: HttpFetch | undefined
  /** Deadlines of each call. @default {} */
  readonly timeouts?: Timeouts | undefined
  /** How failed calls are retried. @default {} */
  readonly retry?: RetryPolicy | undefined
  /** Returns milliseconds since the epoch. Used for the dates in `retry-after` headers. @default Date.now */
  readonly now?: (() => number) | undefined
  /** Waits between attempts. Must reject when the signal is aborted. @default a timer */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Returns a number in [0, 1), from which the random share of a wait is computed. @default Math.random */
  readonly random?: (() => number) | undefined
}

/** One model call. */
export interface HttpCall {
  /** Path, added to the base URL. May contain a query string. */
  readonly path: string
  /** HTTP method. @default 'POST' */
  readonly method?: 'GET' | 'POST' | undefined
  /** Writes the request body as JSON text. Called once, by the first pull. What it throws fails the stream. */
  readonly body?: (() => string) | undefined
  /** The format that the request asks the server for. */
  readonly format: BodyFormat
  /** Creates the decoder of one attempt. */
  readonly createDecoder: (context: AnswerContext) => AnswerDecoder
  /** Name of the model, for error messages. @default none */ readonly model?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Fields that replace those of the retry policy in `HttpOptions`. An invalid value fails the stream. @default {} */
  readonly retry?: RetryPolicy | undefined
}

/** Sends the requests of one provider. */
export interface Http {
  /**
   * Sends the request when the first event is pulled. After a transient failure it sends the request again, unless a part
   * of the answer was already emitted; a `retry` event announces each wait. Fails with a `ParleyError` of a `model-…` code,
   * or with `signal.reason`. If the reader leaves, the connection is closed.
   */
  stream(call: HttpCall): AsyncIterable<ModelEvent>
  /** Requests one JSON document. Retries and errors are those of `stream`. */
  json(call: Pick<HttpCall, 'path' | 'method' | 'body' | 'signal'>): Promise<unknown>
}

const OPTIONS: OptionKinds<HttpOptions> = {
  provider: 'string!',
  baseUrl: 'string!',
  headers: 'object',
  overflowStatuses: 'list',
  fetch: 'function',
  timeouts: 'object',
  retry: 'object',
  now: 'function',
  sleep: 'function',
  random: 'function',
}

/**
 * Creates the HTTP client of a provider.
 * @throws `config-invalid` if the base URL, a header or the retry policy is invalid.
 */
export function createHttp(options: HttpOptions): Http {
  checkOptions('createHttp', options, OPTIONS)
  const {
    provider,
    baseUrl,
    headers: headerFields = {},
    overflowStatuses,
    fetch = createPlatformFetch(),
    timeouts = {},
    retry = {},
    now = Date.now,
    sleep = sleepFor,
    random = Math.random,
  } = options
  const urlOf = createUrlJoiner(baseUrl)
  const secrets = [...secretsOf(headerFields), ...querySecretsOf(new URL(baseUrl))]
  const headers = toHeaders(headerFields, secrets)
  const limits = withDefaultTimeouts(timeouts)
  checkRetryPolicy(retry, 'retry')

  function stream(call: HttpCall): AsyncIterable<ModelEvent> {
    const { path, method = 'POST', body, format, createDecoder, model, signal } = call
    const errors = createErrorFactory({ provider, model, secrets, overflowStatuses })
    let scope: CallScope | undefined

    async function produce(sink: PullSink<ModelEvent>): Promise<void> {
      signal?.throwIfAborted()
      const policy = call.retry === undefined ? retry : { ...retry, ...checkedRetry(call.retry) }
      const url = urlOf(path)
      const common = { url, method, headers, body: body?.(), format, fetch, timeouts: limits, createDecoder, now }
      // The stream fails at once: closing the connection may take longer.
      scope = createCallScope({ totalMs: limits.totalMs, signal, onAbort: () => sink.fail(signal?.reason) })
      const { emit, wasVisible } = watchVisible(sink)
      try {
        for (let failures = 1; ; failures++) {
          const failure = await runAttempt({ ...common, scope, errors, emit, drained: sink.drained })
          if (failure === undefined) return
          const delayMs = wasVisible() ? undefined : retryDelay(failure, { failures, policy, random })
          if (delayMs === undefined) throw failure.error
          emit({ type: 'retry', attempt: failures, delayMs, error: failure.error.info })
          await wait(delayMs, { scope, errors, sleep })
        }
      } finally {
        scope.close()
      }
    }

    return createPullStream({ produce, onLeave: () => scope?.leave() })
  }

  async function json(call: Pick<HttpCall, 'path' | 'method' | 'body' | 'signal'>): Promise<unknown> {
    const found: unknown[] = []
    const createDecoder = ({ broken }: AnswerContext): AnswerDecoder => ({
      event: () => 'open',
      document: body => void found.push(body),
      end() {
        if (found.length === 0) throw broken('The server sent no JSON document.')
      },
    })
    for await (const event of stream({ ...call, format: 'json', createDecoder })) void event
    return found[0]
  }

  return { stream, json }
}

/** Checks a policy and drops its `undefined` fields, which would hide those of the policy for all calls. */
function checkedRetry(policy: RetryPolicy): RetryPolicy {
  checkRetryPolicy(policy, 'retry')
  return Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined))
}

interface WaitOptions {
  readonly scope: CallScope
  readonly errors: ErrorFactory
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

async function wait(ms: number, { scope, errors, sleep }: WaitOptions): Promise<void> {
  const controller = new AbortController()
  scope.timer.pause()
  scope.begin(stop => controller.abort(stop.kind === 'deadline' ? errors.timeout(stop.deadline, stop.ms) : stop))
  await sleep(ms, controller.signal)
}

function watchVisible(sink: PullSink<ModelEvent>): {
  readonly emit: (event: ModelEvent) => void
  readonly wasVisible: () => boolean
} {
  let visible = false
  return {
    emit(event) {
      visible ||= isVisibleEvent(event)
      sink.emit(event)
    },
    wasVisible: () => visible,
  }
}

function toHeaders(fields: Readonly<Record<string, string>>, secrets: readonly string[]): Headers {
  try {
    return new Headers({ 'content-type': 'application/json', ...fields })
  } catch (error) {
    // The message of the runtime quotes the value, which may be a secret.
    const words = error instanceof Error ? error.message : String(error)
    throw new ParleyError({ code: 'config-invalid', path: 'headers', detail: redact(words, secrets) })
  }
}

function createUrlJoiner(baseUrl: string): (path: string) => string {
  const base = checkBaseUrl(baseUrl, 'createHttp.baseUrl')
  const root = base.origin + base.pathname.replace(/\/+$/, '')
  return path => {
    const search = path.includes('?') ? base.search.replace('?', '&') : base.search
    return `${root}/${path.replace(/^\/+/, '')}${search}`
  }
}
