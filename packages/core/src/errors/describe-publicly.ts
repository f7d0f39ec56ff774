import type { ErrorCode, ErrorInfo } from '../schema/error-info.ts'
import { describeBusy, describeError } from './describe-error.ts'

type Sentences = {
  readonly [TCode in ErrorCode]: string | ((info: Extract<ErrorInfo, { code: TCode }>) => string)
}

const STORE = 'The store of the agent cannot be used.'
const INTERNAL = 'The agent failed for a reason of its own.'
const TAKEN_OVER = 'Another process drives the run.'

/**
 * The public sentence of each error code. A code whose fields all come from the client, the model or the author of the
 * agent uses `describeError`.
 */
const SENTENCES: Sentences = {
  'model-auth': 'The model provider rejected the credentials of the agent.',
  'model-permission': 'The model provider does not allow the agent to use the model.',
  'model-not-found': 'The model provider does not know the model of the agent.',
  'model-rate-limited': 'The model provider is rate limiting. Try again later.',
  'model-quota': 'The quota at the model provider is used up.',
  'model-context-length': 'The conversation exceeds the context window of the model. Send less.',
  'model-content-filter': 'The content filter of the model rejected the request.',
  'model-invalid-request': 'The model provider rejected the request as invalid.',
  'model-overloaded': 'The model provider is overloaded. Try again later.',
  'model-server': 'The model provider failed with a server error.',
  'model-timeout': 'The model did not answer in time.',
  'model-network': 'The model provider could not be reached.',
  'model-stream': 'The answer of the model broke off, or cannot be read.',
  'model-unsupported': 'The model does not support the request.',
  'tool-unknown': ({ tool }) => `There is no tool named '${tool}'.`,
  'tool-arguments-unparsable': describeError,
  'tool-input-invalid': describeError,
  'tool-output-invalid': ({ tool }) => `'${tool}' returned a value that does not fit its output schema.`,
  'tool-failed': ({ tool }) => `'${tool}' failed.`,
  'tool-timeout': describeError,
  'tool-denied': describeError,
  'tool-cancelled': describeError,
  'tool-interrupted': describeError,
  'tool-skipped': describeError,
  'tool-schema-invalid': INTERNAL,
  'config-invalid': INTERNAL,
  'agent-unknown': ({ agent }) => `There is no agent named '${agent}'.`,
  'run-failed': ({ agent, status }) => `Agent '${agent}' did not complete its task (${status}).`,
  'step-failed': ({ workflow, step }) => `Step '${step}' of workflow '${workflow}' failed.`,
  'selection-failed': 'None of the candidates was chosen.',
  'model-unknown': ({ model }) => `There is no model named '${model}'.`,
  'run-unknown': describeError,
  'run-ended': describeError,
  'run-suspended': describeError,
  'run-busy': TAKEN_OVER,
  'session-busy': info => describeBusy(info, ''),
  'approval-unknown': describeError,
  'approval-decided': describeError,
  'approval-forbidden': describeError,
  'client-call-unknown': describeError,
  'client-call-settled': describeError,
  'input-rejected': describeError,
  'output-invalid': describeError,
  'queue-full': describeError,
  'runtime-closed': describeError,
  'quota-exceeded': ({ quota }) => `The quota ${quota} is used up.`,
  'context-unsatisfiable': 'The conversation does not fit into the context of the agent. Send less.',
  'limit-reached': describeError,
  internal: INTERNAL,
  'store-conflict': TAKEN_OVER,
  'store-fenced': TAKEN_OVER,
  'inbox-unread': describeError,
  'store-unavailable': STORE,
  'store-corrupt': STORE,
  'store-newer': STORE,
  'mcp-server-failed': 'A tool server failed.',
  'mcp-auth-required': 'A tool server is not authorized.',
  'mcp-request-failed': 'A tool server did not serve a request.',
  'file-unreadable': 'A file cannot be used.',
  'path-refused': 'A file cannot be used.',
  'request-invalid': describeError,
  'agent-request-failed': 'Another agent did not answer.',
  'url-refused': 'An address cannot be used.',
  'url-failed': 'An address did not answer.',
  cancelled: ({ kind }) => `Cancelled (${kind}).`,
}

/**
 * Writes the message of an error for clients of a server: what happened, without the words of other programs, and without
 * addresses, paths and settings. The owner reads `describeError` in the log.
 */
export function describePublicly(info: ErrorInfo): string {
  const sentence = SENTENCES[info.code]
  // The index type of a mapped type cannot show that the function belongs to this code.
  return typeof sentence === 'string' ? sentence : (sentence as (info: ErrorInfo) => string)(info)
}

/**
 * Returns the words of a failed tool call for clients. A tool that returns an error writes for its readers, so its words stay.
 * Words that begin with `describeError(error)` were made from error data, which can quote other programs. The public sentence
 * replaces them.
 */
export function publicWords(words: string, error: ErrorInfo): string {
  const detailed = describeError(error)
  return words.startsWith(detailed) ? describePublicly(error) + words.slice(detailed.length) : words
}
