import { afterEach, expect, it, vi } from 'vitest'
import { defaultBaseUrl } from './default-base-url.ts'

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['', 'http://127.0.0.1:11434'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['box.lan', 'http://box.lan:11434'],
  ['box.lan:80', 'http://box.lan'],
  ['box.lan:8080/ollama/', 'http://box.lan:8080/ollama'],
  ['https://ollama.example', 'https://ollama.example'],
  ['http://[::1]:9', 'http://[::1]:9'],
  ['not a host', 'http://not a host'],
])('defaultBaseUrl converts OLLAMA_HOST %j to %s', (host, url) => {
  vi.stubEnv('OLLAMA_HOST', host)
  expect(defaultBaseUrl()).toBe(url)
})
