import type { ErrorEntry } from './error-entry.ts'

/** Failures of model calls. */
export const MODEL_ERRORS = {
  'model-auth': {
    cause: 'The provider rejected the API key, or the key is missing.',
    remedy:
      "Check the key, and that it belongs to the base URL. A key of the environment is sent only to the provider's own address.",
  },
  'model-permission': {
    cause: 'The key is valid, but the account may not use this model or feature.',
    remedy: 'Ask for access at the provider, or use a model that the account may use.',
  },
  'model-not-found': {
    cause: 'The server does not know the model id or the address.',
    remedy: 'Check the model id and the base URL. `parley doctor` lists what the server answers.',
  },
  'model-rate-limited': {
    cause: 'The provider limits how often this key may call, and the retries were used up.',
    remedy:
      'Wait for `retryAfterMs`, start fewer runs at the same time, or raise `retry.maxRetries`. `createRateLimit` of `@parley/middleware/rate-limit` keeps calls below a rate.',
  },
  'model-quota': {
    cause: 'The account has no credit or quota left. The call is not repeated, because waiting does not help.',
    remedy: 'Add credit at the provider, or use another key or provider.',
  },
  'model-context-length': {
    cause: 'The conversation is longer than the context window of the model.',
    remedy:
      'Use a context policy with a smaller budget, a larger model, or shorter tool results. The engine compacts once and repeats the call before it reports this error.',
  },
  'model-content-filter': {
    cause: 'A content filter of the provider rejected the request.',
    remedy: 'Change the input or the instructions. The same request will be rejected again.',
  },
  'model-invalid-request': {
    cause:
      'The provider rejected the request as invalid, for example for a setting or a schema that it does not support.',
    remedy: 'Read `detail`, which has the words of the server. Remove or change the field that it names.',
  },
  'model-overloaded': {
    cause: 'The provider has no capacity at the moment, and the retries were used up.',
    remedy:
      'Try again later, raise `retry.maxRetries`, or give a second model with `fallback` of `@parley/provider-kit`.',
  },
  'model-server': {
    cause: 'The provider failed with a server error, and the retries were used up.',
    remedy: 'Try again later. If the error stays, report `requestId` to the provider.',
  },
  'model-timeout': {
    cause: 'The model did not answer before a deadline. `deadline` names it.',
    remedy: 'Raise that deadline in `timeouts` of the provider, or choose a faster model.',
  },
  'model-network': {
    cause: 'The connection to the provider could not be opened, or broke before an answer.',
    remedy: 'Check the base URL, DNS, proxy and firewall. `parley doctor` tries the connection.',
  },
  'model-stream': {
    cause: 'The server closed the connection within an answer, or sent an answer that cannot be read.',
    remedy:
      'Try again. If it happens with each call, the server speaks another format: `parley doctor --base-url URL` finds its profile.',
  },
  'model-unsupported': {
    cause: 'The request uses something that this model or provider does not support. No request was sent.',
    remedy: 'Read `detail`, and remove the setting, the tool or the content that it names.',
  },
} satisfies Record<string, ErrorEntry>
