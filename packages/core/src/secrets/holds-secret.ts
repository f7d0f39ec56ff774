/**
 * Shapes of credentials. Each repetition has a bound and a text has at most one way to match, so that a long text takes linear
 * time.
 */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
  // Keys that begin with the name of their issuer, for example of OpenAI, GitHub, GitLab, Slack, AWS and Google.
  /\b(?:(?:sk|pk|rk|glpat|xox[abeprs])[-_]|(?:gh[oprsu]|github_pat|hf|npm|shpat|whsec)_)[\w-]{12}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30}/,
  // A JSON Web Token.
  /\beyJ[\w-]{8,4096}\.[\w-]{4}/,
  /\b(?:bearer|basic)\s{1,4}(?=[a-z.~+/=_-]{0,200}\d)[\w.~+/=-]{16}/i,
  // A name such as `api_key` or `DB_PASSWORD`, and its value.
  /(?:key|secret|token|passw(?:or)?d|passphrase|credentials?)["'`]?\s{0,4}[:=]\s{0,4}["'`]?[^\s"'`{<[(]{6}/i,
  /(?:key|secret|token|passw(?:or)?d|passphrase|credentials?)\sis\s["'`]?(?=[a-z]{0,200}\d)[^\s"'`{<[(]{6}/i,
  // A URL with a password.
  /:\/\/[^\s/:@]{1,200}:[^\s/@]{1,200}@/,
]

/** A word that may be a key without a known shape. */
const LONG_WORD = /[\w+=-]{32,}/g

/**
 * Whether a text seems to contain a credential: a private key, an access token, a password after its name, or a long word of
 * upper-case letters, lower-case letters and digits. A guess, made to err on the side of true.
 */
export function holdsSecret(text: string): boolean {
  return SHAPES.some(shape => shape.test(text)) || (text.match(LONG_WORD) ?? []).some(isMixed)
}

function isMixed(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word)
}
