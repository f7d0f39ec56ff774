import { findSecrets } from './find-secrets.ts'

/** Names that are followed by a value. A value without a digit may be a word of the sentence. */
const NAMED = /(?:key|secret|token|passw(?:or)?d|passphrase|credentials?)["'`]?\s{0,4}[:=]\s{0,4}["'`]?[^\s"'`{<[(]{6}/i

/** A word that may be a key without a known shape. */
const LONG_WORD = /[\w+=-]{32,}/g

/**
 * Whether a text seems to contain a credential: a private key, an access token, a password after its name, or a long word of
 * upper-case letters, lower-case letters and digits. A guess, made to err on the side of true.
 */
export function holdsSecret(text: string): boolean {
  return findSecrets(text).length > 0 || NAMED.test(text) || (text.match(LONG_WORD) ?? []).some(isMixed)
}

function isMixed(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word)
}
