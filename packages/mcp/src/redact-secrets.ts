const SECRET_KEY = /key|token|secret|passw|auth|credential|cookie/i

/** `text` without the values of those `fields` whose names say they are secret. */
export function redactSecrets(text: string, fields: Readonly<Record<string, string>>): string {
  let clean = text
  for (const [key, value] of Object.entries(fields)) {
    if (value.length >= 4 && SECRET_KEY.test(key)) clean = clean.replaceAll(value, '[redacted]')
  }
  return clean
}
