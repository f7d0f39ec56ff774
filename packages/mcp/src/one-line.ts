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
