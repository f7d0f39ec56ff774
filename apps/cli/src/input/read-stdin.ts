import { StringDecoder } from 'node:string_decoder'
import { ParleyError } from '@parley/core'

/** Longest question in characters. It exceeds the context windows of models. */
const LONGEST_INPUT = 16 * 1024 * 1024

/** Reads the whole input as text. @throws ParleyError `config-invalid` if it is too long. */
export async function readStdin(source: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of decoded(source)) {
    text += piece
    checkLength(text.length, 'the input')
  }
  return text
}

/** Reads lines that end with LF or CRLF. @throws ParleyError `config-invalid` if a line is too long. */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of decoded(source)) {
    // The pieces of a long line are searched once.
    if (!piece.includes('\n')) rest += piece
    else {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
    }
    checkLength(rest.length, 'a line of the input')
  }
  if (rest !== '') yield rest
}

async function* decoded(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  for await (const chunk of source) yield decoder.write(chunk)
  yield decoder.end()
}

function checkLength(length: number, what: string): void {
  if (length <= LONGEST_INPUT) return
  const detail = `${what} must have at most ${LONGEST_INPUT} characters`
  throw new ParleyError({ code: 'config-invalid', path: 'stdin', detail })
}
