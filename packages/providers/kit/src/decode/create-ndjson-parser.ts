import type { Broken } from './body-limits.ts'
import { createLineReader, type LineReader } from './create-line-reader.ts'
import { isJsonText } from './is-json-text.ts'

/**
 * Parses newline-delimited JSON in one pass. Skips blank lines. Accepts a last line without a line end if it is valid JSON.
 * @param onValue Called once for each line, with its JSON text.
 * @param broken Creates the error for a line of more than 32 MiB. @default a `model-stream` error
 */
export function createNdjsonParser(onValue: (json: string) => void, broken?: Broken): LineReader {
  let ending = false
  const lines = createLineReader(line => {
    if (line.trim() !== '' && (!ending || isJsonText(line))) onValue(line)
  }, broken)
  return {
    feed: lines.feed,
    end() {
      ending = true
      lines.end()
    },
  }
}
