/** Shortens text to one line of at most `width` characters. Control characters become spaces. */
export function oneLine(text: string, width: number): string {
  // A result may have megabytes, and only the start fits, so only the start is cleaned.
  const flat = text
    .slice(0, width * 8)
    // oxlint-disable-next-line no-control-regex -- control characters must not reach a terminal
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
  return flat.length <= width && text.length <= width * 8 ? flat : `${flat.slice(0, Math.max(1, width - 1))}…`
}
