import { expect, it } from 'vitest'
import { profileOfUrl, quirkProfiles } from './quirk-profiles.ts'

it.each([
  ['https://api.openai.com/v1', 'openai'],
  ['https://eu.api.openai.com/v1', 'openai'],
  ['https://mine.openai.azure.com/openai/v1', 'azure'],
  ['https://mine.services.ai.azure.com/models', 'azure'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://api.mistral.ai/v1', 'mistral'],
  ['https://api.together.xyz/v1', 'together'],
  ['https://api.together.ai/v1', 'together'],
  ['https://api.cerebras.ai/v1', 'cerebras'],
  ['https://api.z.ai/api/paas/v4', 'zai'],
  ['https://open.bigmodel.cn/api/paas/v4', 'zai'],
  ['https://evil-api.z.ai.example/v4', 'generic'],
  ['http://localhost:11434/v1', 'ollama'],
  ['http://127.0.0.1:1234/v1', 'lmstudio'],
  ['http://127.0.0.1:8000/v1', 'generic'],
  ['https://api.openai.com.evil.example/v1', 'generic'],
  ['https://evilapi.openai.com/v1', 'generic'],
  ['nonsense', 'generic'],
])('profileOfUrl returns for %s the profile %s', (url, profile) => {
  expect(profileOfUrl(url)).toBe(profile)
})

it('each quirk profile has its key as its name', () => {
  for (const [name, { profile }] of Object.entries(quirkProfiles)) expect(profile).toBe(name)
})
