import { afterEach, expect, it, vi } from 'vitest'
import { readEnvironment } from './read-environment.ts'

afterEach(() => void vi.unstubAllEnvs())

it('readEnvironment returns a variable, and undefined if it is blank', () => {
  vi.stubEnv('PARLEY_KIT_TEST', 'a')
  expect(readEnvironment('PARLEY_KIT_TEST')).toBe('a')
  vi.stubEnv('PARLEY_KIT_TEST', '  ')
  expect(readEnvironment('PARLEY_KIT_TEST')).toBeUndefined()
})
