import { expect, it } from 'vitest'
import { serverEnvironment } from './server-environment.ts'

it('passes on what is harmless and exists, then what was given, and nothing else', () => {
  const from = { PATH: '/bin', HOME: '/root', OPENAI_API_KEY: 'sk-1', NODE_OPTIONS: '--inspect', TERM: 'xterm' }
  expect(serverEnvironment({ TERM: 'dumb', TOKEN: 't' }, from)).toEqual({
    PATH: '/bin',
    HOME: '/root',
    TERM: 'dumb',
    TOKEN: 't',
  })
})
