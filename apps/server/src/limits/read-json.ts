import type { Context } from 'hono'
import { jsonDepth } from './json-depth.ts'
import { Problem } from '../problem/problem.ts'
import type { ServerLimits } from './server-limits.ts'

/**
 * The body of a request as JSON. Stops reading at the limit.
 * @throws Problem 400, 413.
 */
export async function readJson(context: Context, limits: ServerLimits): Promise<unknown> {
  const text = await readText(context.req.raw, limits.maxBodyBytes)
  if (text.trim() === '') throw invalid('The body is empty; send a JSON object.')
  if (jsonDepth(text, limits.maxJsonDepth) > limits.maxJsonDepth)
    throw invalid(`The body nests deeper than ${limits.maxJsonDepth} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is no JSON.')
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
    throw invalid('The body is no UTF-8 text, or broke off.')
  }
}

/** A body of unknown length, as far as the limit. */
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
  // The rest of the body is not read, so the connection cannot be used again.
  const headers = { connection: 'close' }
  return new Problem(413, 'PAYLOAD_TOO_LARGE', { message: `A body may have at most ${maxBytes} bytes.`, headers })
}

function invalid(message: string): Problem {
  return new Problem(400, 'INVALID_PARAMETER', { message })
}
