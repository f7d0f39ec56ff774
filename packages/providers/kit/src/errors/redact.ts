const SHORTEST_SECRET = 8
const SECRET_HEADER = /auth|key|token|secret|cookie|password/i

/** The values among `headers` that nobody may see: those whose name speaks of keys, tokens or the like. */
export function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const found: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (!SECRET_HEADER.test(name)) continue
    // `Bearer <token>`: the token alone is the secret.
    const secret = value.slice(value.lastIndexOf(' ') + 1)
    if (secret.length >= SHORTEST_SECRET) found.push(secret)
  }
  return found
}

/** `text` with every one of `secrets`, and whatever follows the word `Bearer`, blotted out. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]')
  return clean.replaceAll(/\b(bearer\s+)(?!\[redacted\])[\w.~+/=-]{8,}/gi, '$1[redacted]')
}
