import { brokenStream, LONGEST_EVENT, type Broken } from './body-limits.ts'
import { createLineReader, type LineReader } from './create-line-reader.ts'
import { isJsonText } from './is-json-text.ts'

const SPACE = 32

/**
 * Parses a server-sent event stream in one pass. Skips comments, `id`, `retry` and events without data. llama.cpp sends
 * failures in a field named `error`; the parser reports it as an event named `error`. A last event without its blank line is
 * accepted if its data is valid JSON or `[DONE]`.
 * @param onEvent Called once for each event, with its data (lines joined by LF) and its name (`''` if it has none).
 * @param broken Creates the error for a line, or the data of an event, of more than 32 MiB. @default a `model-stream` error
 */
export function createSseParser(
  onEvent: (data: string, name: string) => void,
  broken: Broken = brokenStream,
): LineReader {
  let data: string | undefined
  let name = ''

  function dispatch(): void {
    const whole = data
    const eventName = name
    data = undefined
    name = ''
    if (whole !== undefined && whole !== '') onEvent(whole, eventName)
  }

  function append(value: string): void {
    data = data === undefined ? value : `${data}\n${value}`
    if (data.length <= LONGEST_EVENT) return
    data = undefined
    throw broken(`The server sent an event of more than ${LONGEST_EVENT} characters.`)
  }

  function readField(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const from = line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1
    const value = colon === -1 ? '' : line.slice(from)
    if (field === 'event') name = value
    else if (field === 'data') append(value)
    else if (field === 'error') {
      append(value)
      name = 'error'
    }
  }

  const lines = createLineReader(line => {
    if (line === '') dispatch()
    else readField(line)
  }, broken)

  return {
    feed: lines.feed,
    end() {
      lines.end()
      if (data !== undefined && (data === '[DONE]' || isJsonText(data))) dispatch()
    },
  }
}
