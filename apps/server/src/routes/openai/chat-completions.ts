import type { RunEvent } from '@parley/core'
import { collectRun, type ClientError, type RunEncoder } from '@parley/encoders'
import { createChatEncoder, parseChatRequest, toChatCompletion, type ChatFailure } from '@parley/encoders/openai-chat'
import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { NOT_RETRIED, SHOULD_RETRY } from '../../problem/problem.ts'
import { termsOf } from '../../runs/begin-once.ts'
import { readAttempt } from '../../runs/read-attempt.ts'
import { describe, serveProtocol } from '../../runs/serve-protocol.ts'
import type { RunAttempt } from '../../state/run-attempt.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerRun } from '../answer-run.ts'

/** Adds `POST /v1/chat/completions`. */
export function addChatCompletionsRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/v1/chat/completions', async context => {
    const { body, attempt } = await readAttempt(context, server)
    const parsed = parseChatRequest(body)
    const { name: model } = server.agents.get(parsed.model)
    const encoder = createChatEncoder({ model, describe, includeUsage: parsed.includeUsage || !parsed.stream })
    const terms = termsOf(server, 'openai-chat', { client: context.get('client'), attempt, stream: parsed.stream })
    const request = { terms, parsed }
    if (parsed.stream) {
      const cutEvent = (error: ClientError): ChatFailure => ({ error: { ...error, type: 'server_error', param: null } })
      return serveProtocol(server, request, run =>
        answerRun(context, server, {
          run,
          attempt,
          encoder: new FailureMarker(encoder, attempt),
          cutEvent,
          last: '[DONE]',
        }),
      )
    }
    const chunks = await serveProtocol(server, request, ({ watch }) => collectRun(watch(), encoder))
    const completion = toChatCompletion(chunks)
    if (!('error' in completion)) return context.json(completion)
    attempt.fail()
    return context.json(completion, NOT_RETRIED, { [SHOULD_RETRY]: 'false' })
  })
}

/** Marks an attempt as failed when its stream tells a failure: a client may send the request again, and must get the same run. */
class FailureMarker<TEvent extends object> implements RunEncoder<TEvent> {
  readonly #encoder: RunEncoder<TEvent>
  readonly #attempt: RunAttempt

  constructor(encoder: RunEncoder<TEvent>, attempt: RunAttempt) {
    this.#encoder = encoder
    this.#attempt = attempt
  }

  get ended(): boolean {
    return this.#encoder.ended
  }

  push(event: RunEvent): readonly TEvent[] {
    return this.#mark(this.#encoder.push(event))
  }

  end(error?: unknown): readonly TEvent[] {
    return this.#mark(this.#encoder.end(error))
  }

  #mark(events: readonly TEvent[]): readonly TEvent[] {
    if (events.some(event => 'error' in event)) this.#attempt.fail()
    return events
  }
}
