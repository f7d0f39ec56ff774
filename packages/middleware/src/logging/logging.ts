import {
  checkOptions,
  defineMiddleware,
  describeError,
  messageText,
  totalTokens,
  type Middleware,
  type RunEvent,
  type RunEventOf,
  type RunEventType,
  type OptionKinds,
} from '@parley/core'

/** Receives log lines. `console`, pino and winston have this shape. */
export interface Logger {
  debug(message: string, fields: object): void
  info(message: string, fields: object): void
  warn(message: string, fields: object): void
  error(message: string, fields: object): void
}

export interface LoggingOptions {
  /** Where to write lines. @default console */
  readonly logger?: Logger | undefined
  /** Whether to log arguments, results and messages. They may hold personal data or secrets. @default false */
  readonly content?: boolean | undefined
}

interface Line {
  readonly level: keyof Logger
  readonly message: string
  readonly fields?: object | undefined
  /** Arguments, results or messages. Logged only with `content: true`. */
  readonly content?: object | undefined
}

type Lines = { readonly [TType in RunEventType]?: (event: RunEventOf<TType>) => Line }

/** The events that are logged. Deltas are not. */
const LINES: Lines = {
  'run.started': ({ agent, model, relation }) => line('info', 'run started', { agent, model, relation }),
  'run.resumed': ({ worker }) => line('info', 'run resumed', { worker }),
  'message.appended': ({ source, message }) => ({
    ...line('debug', 'message appended', { source, role: message.role }),
    content: { text: messageText(message) },
  }),
  'input.filtered': ({ source, filter, verdict, error }) => ({
    ...line(error === undefined ? 'info' : 'error', 'input filtered', {
      source,
      filter,
      verdict,
      ...(error === undefined ? {} : { code: error.code }),
    }),
    ...(error === undefined ? {} : { content: { error: describeError(error) } }),
  }),
  'model.called': ({ turn, model, finish, usage, durationMs }) =>
    line('info', 'model answered', { turn, model, finish, tokens: totalTokens(usage), durationMs }),
  'model.retrying': ({ turn, attempt, delayMs, error, fallback }) =>
    fallback === undefined
      ? line('warn', 'model call waits', { turn, attempt, delayMs, code: error.code })
      : line('warn', 'model call goes to another model', { turn, attempt, ...fallback, code: error.code }),
  'model.failed': ({ turn, model, error, durationMs }) => ({
    ...line('error', 'model call failed', { turn, model, code: error.code, durationMs }),
    content: { error: describeError(error) },
  }),
  'tool.started': ({ turn, callId, name, input }) => ({
    ...line('info', 'tool started', { turn, callId, name }),
    content: { input },
  }),
  'tool.ended': ({ turn, callId, name, error, message, durationMs }) => ({
    ...line(error === undefined ? 'info' : 'warn', error === undefined ? 'tool ended' : 'tool failed', {
      turn,
      callId,
      name,
      durationMs,
      ...(error === undefined ? {} : { code: error.code }),
    }),
    content: { result: messageText(message) },
  }),
  'approval.requested': ({ request: { approvalId, name } }) => line('info', 'approval requested', { approvalId, name }),
  'approval.decided': ({ approvalId, decision }) =>
    line('info', 'approval decided', { approvalId, decision: decision.type }),
  'agent.changed': ({ from, to }) => line('info', 'agent changed', { from, to }),
  'context.compacted': ({ policy, before, after }) =>
    line('info', 'context compacted', { policy, before: before.messages, after: after.messages }),
  'tool.omitted': ({ name, error }) => ({
    ...line('warn', 'tool omitted', { name, code: error.code }),
    content: { error: describeError(error) },
  }),
  'middleware.failed': ({ middleware, detail }) => line('error', 'middleware failed', { middleware, detail }),
  'run.suspended': ({ approvals }) => line('info', 'run suspended', { approvals: approvals.length }),
  'run.interrupted': ({ error }) => line('error', 'run interrupted', { code: error.code }),
  'run.ended': ({ outcome, usage, cost }) =>
    line(outcome.status === 'failed' ? 'error' : 'info', 'run ended', {
      status: outcome.status,
      tokens: totalTokens(usage),
      ...(cost === undefined ? {} : { usd: cost.usd }),
      ...(outcome.status === 'failed' ? { code: outcome.error.code } : {}),
    }),
}

const OPTIONS: OptionKinds<LoggingOptions> = {
  logger: 'object',
  content: 'boolean',
}

/**
 * Logs one structured line for each step of a run. A line has only names and numbers, unless `content` is `true`.
 * @throws ParleyError `config-invalid` if an option is unknown.
 */
export function logging(options: LoggingOptions = {}): Middleware {
  checkOptions('logging', options, OPTIONS)
  const { logger = console, content = false } = options
  return defineMiddleware('logging', () => ({
    event(event) {
      const made = lineOf(event)
      if (made === undefined) return
      const { runId, sessionId } = event
      logger[made.level](made.message, { runId, sessionId, ...made.fields, ...(content ? made.content : {}) })
    },
  }))
}

function lineOf(event: RunEvent): Line | undefined {
  // The table pairs each type with its own event, which the compiler cannot infer through a union.
  const make = LINES[event.type] as ((event: RunEvent) => Line) | undefined
  return make?.(event)
}

function line(level: keyof Logger, message: string, fields: object): Line {
  return { level, message, fields }
}
