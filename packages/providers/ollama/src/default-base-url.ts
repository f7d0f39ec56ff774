import { readEnvironment } from '@parley/provider-kit'

const PORT = '11434'

/** Returns the address that Ollama's own tools would use: `OLLAMA_HOST`, whose scheme and port are optional, else this machine. */
export function defaultBaseUrl(): string {
  const host = readEnvironment('OLLAMA_HOST')?.trim()
  if (host === undefined) return `http://127.0.0.1:${PORT}`
  const hasScheme = /^https?:\/\//.test(host)
  const text = hasScheme ? host : `http://${host}`
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (!hasScheme && url.port === '' && !/:80(\/|$)/.test(host)) url.port = PORT
  // The server uses OLLAMA_HOST as its listen address. A client cannot connect to 0.0.0.0.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return url.href.replace(/\/$/, '')
}
