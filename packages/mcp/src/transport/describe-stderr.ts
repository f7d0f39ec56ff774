const SECRET_KEY = /key|token|secret|passw|auth|credential|cookie/i
const COLOUR = /[^\P{Cc}\n\t]\[[0-9;?]+[A-Za-z]/gu
const CONTROL = /[^\P{Cc}\n]/gu

/** What a crashed program said, in one line: without colours, blank lines and stack frames, cut at the front. */
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

/** `text` without the values of those `fields` whose names say they are secret. */
export function redactSecrets(text: string, fields: Readonly<Record<string, string>>): string {
  let clean = text
  for (const [key, value] of Object.entries(fields)) {
    if (value.length >= 4 && SECRET_KEY.test(key)) clean = clean.replaceAll(value, '[redacted]')
  }
  return clean
}
