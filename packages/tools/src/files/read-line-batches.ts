import { readSync } from 'node:fs'

const LINE_FEED = 10

/**
 * The lines of an open file, in batches, as many as one filling of `buffer` holds. Of a line longer than the buffer,
 * only its first `maxLineBytes` are given.
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

/** Without the rest of a Windows line end, and without a byte-order mark. */
function plainLine(line: string): string {
  const end = line.endsWith('\r') ? -1 : undefined
  return line.slice(line.startsWith('\uFEFF') ? 1 : 0, end)
}
