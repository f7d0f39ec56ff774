const REGION = /^[ \t]*\/\/ #region[ \t]+(\S+)[ \t]*$/
const END = /^[ \t]*\/\/ #endregion\b.*$/

/** The code of a region, or the reason why it cannot be read. */
export type RegionResult = { readonly code: string } | { readonly problem: string }

/**
 * Returns the named region of an example, moved to the left margin, or the whole text if no region is named.
 * The result contains no region markers.
 */
export function readRegion(text: string, name?: string): RegionResult {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (name === undefined) return { code: toCode(lines) }
  const start = lines.findIndex(line => REGION.exec(line)?.[1] === name)
  if (start === -1) return { problem: `there is no region '${name}'` }
  if (lines.some((line, index) => index > start && REGION.exec(line)?.[1] === name)) {
    return { problem: `region '${name}' begins twice` }
  }
  const end = endOfRegion(lines, start)
  return end === undefined
    ? { problem: `region '${name}' does not end` }
    : { code: toCode(lines.slice(start + 1, end)) }
}

function endOfRegion(lines: readonly string[], start: number): number | undefined {
  let depth = 0
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (REGION.test(line)) depth += 1
    if (END.test(line)) depth -= 1
    if (depth === 0) return index
  }
  return undefined
}

function toCode(lines: readonly string[]): string {
  const shown = lines.filter(line => !REGION.test(line) && !END.test(line))
  const margins = shown.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const margin = Math.min(...margins, Number.MAX_SAFE_INTEGER)
  return shown
    .map(line => line.slice(margin).trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
}
