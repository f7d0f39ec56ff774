import type { ErrorInfo } from '../schema/error-info.ts'

/** A failure of a model call. */
export type ModelErrorInfo = Extract<ErrorInfo, { provider: string }>

const MODEL_SENTENCES: Record<ModelErrorInfo['code'], string> = {
  'model-auth': 'rejected the API key. Check the key, and that it belongs to this base URL.',
  'model-permission': 'does not allow this key to use the model.',
  'model-not-found': 'does not know the model or the address. Check the model id and the base URL.',
  'model-rate-limited': 'is rate limiting.',
  'model-quota': 'says that the account has no quota left.',
  'model-context-length':
    'says that the conversation exceeds the context window. Send less, or use a context policy with a smaller budget.',
  'model-content-filter': 'rejected the request with its content filter.',
  'model-invalid-request': 'rejected the request as invalid.',
  'model-overloaded': 'is overloaded.',
  'model-server': 'failed with a server error.',
  'model-timeout': 'did not answer in time.',
  'model-network': 'could not be reached.',
  'model-stream': 'closed the connection within an answer, or sent an answer that cannot be read.',
  'model-unsupported': 'does not support the request.',
}

/** Writes the message of a failed model call. */
export function describeModelError(info: ModelErrorInfo): string {
  const who = info.model === undefined ? info.provider : `${info.provider}/${info.model}`
  const facts = [
    info.status === undefined ? '' : `HTTP ${info.status}`,
    info.code === 'model-timeout' ? `${info.deadline} deadline${info.ms === undefined ? '' : ` of ${info.ms} ms`}` : '',
    info.requestId === undefined ? '' : `request ${info.requestId}`,
  ].filter(fact => fact !== '')
  const detail = info.detail === '' ? '' : ` ${info.detail}`
  return `${who} ${MODEL_SENTENCES[info.code]}${detail}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}
