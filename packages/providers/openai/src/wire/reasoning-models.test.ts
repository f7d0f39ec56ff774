import { expect, it } from 'vitest'
import { quirkProfiles } from '../quirks/quirk-profiles.ts'
import { systemRoleOf } from './reasoning-models.ts'

it.each([
  ['gpt-4.1', 'system'],
  ['gpt-5', 'developer'],
  ['ft:o4-mini:me', 'developer'],
  ['gpt-5-chat-latest', 'system'],
  ['o1', 'developer'],
  ['o1-mini-2024-09-12', 'user'],
  ['o1-preview', 'user'],
])('the instructions for %s have the role %s', (id, role) => {
  expect(systemRoleOf(id, quirkProfiles.openai)).toBe(role)
  expect(systemRoleOf(id, quirkProfiles.generic)).toBe('system')
})
