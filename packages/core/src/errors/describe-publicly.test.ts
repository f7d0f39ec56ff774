import { describe, expect, it } from 'vitest'
import type { ErrorInfo } from '../schema/error-info.ts'
import { errorInfoSchema } from '../schema/error-info-schema.ts'
import { describePublicly } from './describe-publicly.ts'

const SECRET = 'sk-live-0123456789 in /home/owner/.env'

/** Fields that come from the client, the model or the author of the agent in each use of the code. */
const PUBLIC_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'request-invalid': ['path', 'detail'],
  'tool-arguments-unparsable': ['detail'],
  'tool-denied': ['reason'],
  'input-rejected': ['filter', 'reason'],
}
const NAMES = new Set(['tool', 'agent', 'workflow', 'step', 'model', 'runId', 'sessionId', 'approvalId', 'callId'])

describe('describePublicly', () => {
  it.each(errorInfoSchema.options.map(option => [option.shape.code.value, option] as const))(
    'describePublicly writes a sentence for %s and keeps the words of other programs out of it',
    (code, option) => {
      const allowed = PUBLIC_FIELDS[code] ?? []
      const fields = Object.keys(option.shape).map(name => {
        const isPlain = name === 'code' || allowed.includes(name) || NAMES.has(name)
        return [name, name === 'code' ? code : isPlain ? 'plain' : valueOf(name)]
      })
      const sentence = describePublicly(Object.fromEntries(fields) as ErrorInfo)
      expect(sentence).toMatch(/\S/)
      expect(sentence).not.toContain(SECRET)
    },
  )

  it('describePublicly names neither the provider nor the model of a model error', () => {
    const info = { code: 'model-auth', provider: 'openai', model: 'gpt-9', status: 401, detail: SECRET } as const
    expect(describePublicly(info)).toBe('The model provider rejected the credentials of the agent.')
  })
})

/** A value for a field: lists and numbers hold no text of other programs. */
function valueOf(name: string): unknown {
  if (name === 'issues') return [{ path: '/a', message: 'must be a number' }]
  if (name === 'roles' || name === 'waitsFor') return ['boss']
  if (name === 'available' || name === 'known') return [SECRET]
  if (['status', 'kind', 'quota', 'limit', 'max', 'value', 'ms', 'attempts', 'capacity'].includes(name)) return 1
  return SECRET
}
