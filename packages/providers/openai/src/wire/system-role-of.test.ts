import { expect, it } from 'vitest'
import { quirkProfiles } from '../quirks/quirk-profiles.ts'
import { systemRoleOf } from './system-role-of.ts'

it.each([
  ['gpt-4.1', 'system'],
  ['gpt-5', 'developer'],
  ['ft:o4-mini:me', 'developer'],
  ['gpt-5-chat-latest', 'system'],
  ['o1', 'developer'],
  ['o1-mini-2024-09-12', 'user'],
  ['o1-preview', 'user'],
])('gives instructions to %s as %s', (id, role) => {
  expect(systemRoleOf(id, quirkProfiles.openai)).toBe(role)
  expect(systemRoleOf(id, quirkProfiles.generic)).toBe('system')
})
