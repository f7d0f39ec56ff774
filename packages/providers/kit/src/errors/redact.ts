const SHORTEST_SECRET = 8
const SECRET_HEADER = /auth|key|token|secret|cookie|password/i

/** Returns the secret values among headers: those whose name contains a word such as key, token or cookie. */
export function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const found: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (!SECRET_HEADER.test(name)) continue
    // In `Bearer <token>`, only the token is secret.
    const secret = value.slice(value.lastIndexOf(' ') + 1)
    if (secret.length >= SHORTEST_SECRET) found.push(secret)
  }
  return found
}

/** Returns the secret values of a URL's query, as they are and as the URL encodes them. */
export function querySecretsOf(url: URL): readonly string[] {
  const plain = secretsOf(Object.fromEntries(url.searchParams))
  return [...new Set([...plain, ...plain.map(secret => encodeURIComponent(secret))])]
}

/** Replaces each of `secrets`, and each token after the word `Bearer`, with `[redacted]`. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]')
  return clean.replaceAll(/\b(bearer\s+)(?!\[redacted\])[\w.~+/=-]{8,}/gi, '$1[redacted]')
}
