/** A part of a text with a credential. `end` is exclusive. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
}

/**
 * Shapes of credentials. The credential is the first group, or the whole match. Each repetition has a bound and a text has at most
 * one way to match, so that a long text takes linear time.
 */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w+/=\s\\]{0,16000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/dg,
  // Keys that begin with the name of their issuer, for example of OpenAI, GitHub, GitLab, Slack, AWS and Google.
  /\b(?:(?:sk|pk|rk|glpat|xox[abeprs])[-_]|(?:gh[oprsu]|github_pat|hf|npm|shpat|whsec)_)[\w-]{12,512}/dg,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/dg,
  /\bAIza[\w-]{30,64}/dg,
  // A JSON Web Token.
  /\beyJ[\w-]{8,4096}\.[\w-]{4,4096}(?:\.[\w-]{0,4096})?/dg,
  /\b(?:bearer|basic)\s{1,4}((?=[a-z.~+/=_-]{0,200}\d)[\w.~+/=-]{16,4096})/dgi,
  // A name that can only be that of a credential, such as `api_key` or `DB_PASSWORD`, and its value.
  /(?:passw(?:or)?d|passphrase|(?:api|secret|access|private)[-_ ]?key|client[-_]?secret|(?:access|refresh|auth)[-_]?token|_(?:key|token|secret))["'`]?\s{0,4}[:=]\s{0,4}["'`]?([^\s"'`{<[(]{6,512})/dgi,
  // A name that has other meanings. Its value is a credential if it contains a digit.
  /\b(?:key|secret|token|credentials?)["'`]?\s{0,4}[:=]\s{0,4}["'`]?((?=[^\s"'`{<[(\d]{0,200}\d)[^\s"'`{<[(]{6,512})/dgi,
  /(?:key|secret|token|passw(?:or)?d|passphrase|credentials?)\sis\s["'`]?((?=[a-z]{0,200}\d)[^\s"'`{<[(]{6,512})/dgi,
  // A URL with a password.
  /:\/\/[^\s/:@]{1,200}:([^\s/@]{1,200})@/dg,
]

/** Finds credentials in a text, in order: private keys, access tokens, and passwords after their names. Overlapping spans are joined. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const found: SecretSpan[] = []
  for (const shape of SHAPES) {
    for (const { indices } of text.matchAll(shape)) {
      const [start, end] = indices?.[1] ?? indices?.[0] ?? [0, 0]
      found.push({ start, end })
    }
  }
  const spans: SecretSpan[] = []
  for (const span of found.toSorted((a, b) => a.start - b.start)) {
    const last = spans.at(-1)
    if (last === undefined || span.start > last.end) spans.push(span)
    else spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
  }
  return spans
}
