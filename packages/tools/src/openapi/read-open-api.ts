import { readFile } from 'node:fs/promises'
import { checkOptions, ParleyError, readLimitedText, type OptionKinds } from '@parley/core'
import type { OpenApiDocument } from './open-api-document.ts'
import { parseOpenApi } from './parse-open-api.ts'

export interface ReadOpenApiOptions {
  /** Fetches the document from an address. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Aborting it aborts the fetch. @default none */
  readonly signal?: AbortSignal | undefined
}

const OPTIONS: OptionKinds<ReadOpenApiOptions> = {
  fetch: 'function',
  signal: 'signal',
}

/**
 * Reads an OpenAPI document from a file, or from an `http:` or `https:` address. A relative server address in the document is
 * resolved against that address.
 * @throws ParleyError `file-unreadable` if the source cannot be read, `config-invalid` if it is not an OpenAPI 3 document.
 */
export async function readOpenApi(source: string, options: ReadOpenApiOptions = {}): Promise<OpenApiDocument> {
  checkOptions('readOpenApi', options, OPTIONS)
  const { fetch = globalThis.fetch, signal } = options
  if (!/^https?:\/\//i.test(source)) return parseOpenApi(await readText(source))
  const document = parseOpenApi(await fetchText(source, fetch, signal))
  const { serverUrl = '/' } = document
  return URL.canParse(serverUrl, source) ? { ...document, serverUrl: new URL(serverUrl, source).href } : document
}

const LONGEST_DOCUMENT = 64 * 1024 * 1024

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ParleyError(
      { code: 'file-unreadable', path, detail: code === 'ENOENT' ? 'there is no such file' : (code ?? String(cause)) },
      { cause },
    )
  }
}

async function fetchText(
  url: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const response = await fetch(url, { signal: signal ?? null })
    const { text, cut } = response.ok ? await readLimitedText(response, LONGEST_DOCUMENT) : { text: '', cut: false }
    if (response.ok && !cut) return text
    const detail = cut ? `it has more than ${LONGEST_DOCUMENT} bytes` : `HTTP ${response.status}`
    throw new ParleyError({ code: 'file-unreadable', path: url, detail })
  } catch (cause) {
    signal?.throwIfAborted()
    if (ParleyError.is(cause)) throw cause
    throw new ParleyError({ code: 'file-unreadable', path: url, detail: 'it could not be fetched' }, { cause })
  }
}
