import { expect, it } from 'vitest'
import { serverEnvironment } from './server-environment.ts'

it('serverEnvironment passes on only the harmless variables and the given ones', () => {
  const from = { PATH: '/bin', HOME: '/root', OPENAI_API_KEY: 'sk-1', NODE_OPTIONS: '--inspect', TERM: 'xterm' }
  expect(serverEnvironment({ TERM: 'dumb', TOKEN: 't' }, from)).toEqual({
    PATH: '/bin',
    HOME: '/root',
    TERM: 'dumb',
    TOKEN: 't',
  })
})
