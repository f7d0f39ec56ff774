const SECRET_KEY = /key|token|secret|passw|auth|credential|cookie/i
const COLOUR = /[^\P{Cc}\n\t]\[[0-9;?]+[A-Za-z]/gu
const CONTROL = /[^\P{Cc}\n]/gu

/**
 * Joins the output of a program into one line, without colors, blank lines and stack frames. Removes the beginning of a
 * line that is too long.
 */
export function oneLine(text: string, maxLength: number): string {
  const line = text
    .replaceAll(COLOUR, '')
    .replaceAll(CONTROL, ' ')
    .split('\n')
    .map(part => part.trim())
    .filter(part => part !== '' && !part.startsWith('at '))
    .join(' | ')
  return line.length <= maxLength ? line : `…${line.slice(1 - maxLength)}`
}

/** Replaces the values of those `fields` whose names suggest a secret, such as `API_KEY`, and tokens after the word `Bearer`. */
export function redactSecrets(text: string, fields: Readonly<Record<string, string>>): string {
  let clean = text
  for (const [key, value] of Object.entries(fields)) {
    // In `Bearer <token>`, only the token is secret.
    const secret = value.slice(value.lastIndexOf(' ') + 1)
    if (secret.length >= 4 && SECRET_KEY.test(key)) clean = clean.replaceAll(secret, '[redacted]')
  }
  return clean.replaceAll(/\b(bearer\s+)(?!\[redacted\])[\w.~+/=-]{8,}/gi, '$1[redacted]')
}
