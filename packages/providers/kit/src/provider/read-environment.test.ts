import { afterEach, expect, it, vi } from 'vitest'
import { readEnvironment } from './read-environment.ts'

afterEach(() => void vi.unstubAllEnvs())

it('reads a variable, an empty one as absent', () => {
  vi.stubEnv('PARLEY_KIT_TEST', 'a')
  expect(readEnvironment('PARLEY_KIT_TEST')).toBe('a')
  vi.stubEnv('PARLEY_KIT_TEST', '  ')
  expect(readEnvironment('PARLEY_KIT_TEST')).toBeUndefined()
})
