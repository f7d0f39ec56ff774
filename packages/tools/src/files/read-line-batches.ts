import { readSync } from 'node:fs'

const LINE_FEED = 10

/**
 * Yields the lines of an open file in batches of as many lines as `buffer` holds. If a line is longer than the buffer, only
 * its first `maxLineBytes` are yielded.
 */
export function* readLineBatches(
  descriptor: number,
  { buffer, maxLineBytes }: { readonly buffer: Buffer; readonly maxLineBytes: number },
): Generator<readonly string[], void, void> {
  let carried = 0
  let position = 0
  for (;;) {
    const count = readSync(descriptor, buffer, carried, buffer.length - carried, position)
    if (count === 0) {
      if (carried > 0) yield [plainLine(buffer.toString('utf8', 0, carried))]
      return
    }
    const filled = carried + count
    position += count
    const last = buffer.lastIndexOf(LINE_FEED, filled - 1)
    if (last < 0) {
      carried = filled === buffer.length ? maxLineBytes : filled
      continue
    }
    yield buffer.toString('utf8', 0, last).split('\n').map(plainLine)
    buffer.copyWithin(0, last + 1, filled)
    carried = filled - last - 1
  }
}

/** Removes the carriage return of a Windows line end, and a byte-order mark. */
function plainLine(line: string): string {
  const end = line.endsWith('\r') ? -1 : undefined
  return line.slice(line.startsWith('\uFEFF') ? 1 : 0, end)
}
