import type { Context } from 'hono'
import { jsonDepth } from './json-depth.ts'
import { invalidParameter, Problem } from '../problem/problem.ts'
import type { ServerLimits } from './server-limits.ts'

/**
 * Reads the body of a request as JSON. Stops reading at `maxBodyBytes`.
 * @throws Problem 400 if the body is invalid, 413 if it is too large.
 */
export async function readJson(context: Context, limits: ServerLimits): Promise<unknown> {
  return parseJson(await readText(context.req.raw, limits.maxBodyBytes), limits)
}

/** Parses a body as JSON. @throws Problem 400 if it is invalid or nests too deep. */
export function parseJson(text: string, limits: ServerLimits): unknown {
  if (text.trim() === '') throw invalidParameter('The body is empty. Send a JSON object.')
  if (jsonDepth(text, limits.maxJsonDepth) > limits.maxJsonDepth)
    throw invalidParameter(`The body must nest at most ${limits.maxJsonDepth} levels deep.`)
  try {
    return JSON.parse(text)
  } catch {
    throw invalidParameter('The body must be valid JSON.')
  }
}

/** Reads a body as text. Stops reading at `maxBytes`. @throws Problem 400 if it is invalid, 413 if it is too large. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length')
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes)
  try {
    if (declared === null) return await readStream(request, maxBytes)
    const bytes = await request.arrayBuffer()
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw invalidParameter('The body must be complete UTF-8 text.')
  }
}

/** Reads a chunked body, whose length is unknown, up to the limit. */
async function readStream(request: Request, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = request.body?.getReader()
  let text = ''
  let bytes = 0
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    bytes += read.value.byteLength
    if (bytes > maxBytes) {
      void discard(reader)
      throw tooLarge(maxBytes)
    }
    text += decoder.decode(read.value, { stream: true })
  }
  return text + decoder.decode()
}

/** Reads the rest of a body. To cancel it would close the connection of a client that still sends, which then loses the answer. */
async function discard(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  try {
    while ((await reader?.read())?.done === false);
  } catch {
    // The client has disconnected.
  }
}

function tooLarge(maxBytes: number): Problem {
  return new Problem(413, 'PAYLOAD_TOO_LARGE', { message: `The body must have at most ${maxBytes} bytes.` })
}
