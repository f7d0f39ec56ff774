// JSON.stringify writes a surrogate as an escape only when its other half is missing.
const LONE_SURROGATE = /(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** `JSON.stringify` with half surrogate pairs replaced by U+FFFD: servers refuse them with a 400. */
export function encodeJson(value: unknown): string {
  const json = JSON.stringify(value)
  return json.includes('\\ud') ? json.replaceAll(LONE_SURROGATE, '\\ufffd') : json
}
