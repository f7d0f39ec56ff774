import type { Context } from 'hono'
import { jsonDepth } from './json-depth.ts'
import { invalidParameter, Problem } from '../problem/problem.ts'
import type { ServerLimits } from './server-limits.ts'

/**
 * Reads the body of a request as JSON. Stops reading at `maxBodyBytes`.
 * @throws Problem 400 if the body is invalid, 413 if it is too large.
 */
export async function readJson(context: Context, limits: ServerLimits): Promise<unknown> {
  const text = await readText(context.req.raw, limits.maxBodyBytes)
  if (text.trim() === '') throw invalidParameter('The body is empty. Send a JSON object.')
  if (jsonDepth(text, limits.maxJsonDepth) > limits.maxJsonDepth)
    throw invalidParameter(`The body must nest at most ${limits.maxJsonDepth} levels deep.`)
  try {
    return JSON.parse(text)
  } catch {
    throw invalidParameter('The body must be valid JSON.')
  }
}

async function readText(request: Request, maxBytes: number): Promise<string> {
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
  let text = ''
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += (chunk as Uint8Array).byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    text += decoder.decode(chunk as Uint8Array, { stream: true })
  }
  return text + decoder.decode()
}

function tooLarge(maxBytes: number): Problem {
  // The rest of the body stays unread, so HTTP/1.1 cannot reuse the connection.
  const headers = { connection: 'close' }
  return new Problem(413, 'PAYLOAD_TOO_LARGE', { message: `The body must have at most ${maxBytes} bytes.`, headers })
}
