import { expect, it } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'

it('hides the values of fields named like secrets, and only those', () => {
  const fields = { API_KEY: 'sk-123456', GH_TOKEN: 'ghp_9', ROOT: '/srv/data', PASSWORD: 'x' }
  expect(redactSecrets('key sk-123456 ghp_9 sk-123456 at /srv/data', fields)).toBe(
    'key [redacted] [redacted] [redacted] at /srv/data',
  )
})
