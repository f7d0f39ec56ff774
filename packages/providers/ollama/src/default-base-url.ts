import { readEnvironment } from '@parley/provider-kit'

const PORT = '11434'

/** Where Ollama's own tools would look: `OLLAMA_HOST`, with all they let one leave out, else this machine. */
export function defaultBaseUrl(): string {
  const host = readEnvironment('OLLAMA_HOST')?.trim()
  if (host === undefined) return `http://127.0.0.1:${PORT}`
  const hasScheme = /^https?:\/\//.test(host)
  const text = hasScheme ? host : `http://${host}`
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (!hasScheme && url.port === '' && !/:80(\/|$)/.test(host)) url.port = PORT
  // The server's variable may say where it listens; nobody can be reached at that address.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return url.href.replace(/\/$/, '')
}
