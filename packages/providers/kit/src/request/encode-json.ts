// JSON.stringify writes a surrogate as an escape only if its other half is missing.
const LONE_SURROGATE = /(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/**
 * Encodes a value like `JSON.stringify`, but replaces lone surrogates with U+FFFD, because servers answer them with
 * status 400.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(LONE_SURROGATE, '\\ufffd')
}
