// oxlint-disable-next-line no-control-regex -- terminal codes are control characters
const TERMINAL_CODES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g
/** Soft hyphens, direction marks and isolates, zero-width spaces, word joiners, byte order marks, tag characters. */
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]|\uDB40[\uDC00-\uDC7F]/g
const HIDDEN = new RegExp(`\\u001B|${INVISIBLE.source}`)

/** Removes characters that people do not see but a model reads. Keeps joiners, because emoji and some scripts need them. */
export function stripInvisible(text: string): string {
  return HIDDEN.test(text) ? text.replaceAll(TERMINAL_CODES, '').replaceAll(INVISIBLE, '') : text
}
