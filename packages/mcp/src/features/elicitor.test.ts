import { expect, it } from 'vitest'
import { createElicitor } from './elicitor.ts'

it('the elicitor does not ask for a second visit of a page that the server reports as done', async () => {
  let asked = 0
  const elicitor = createElicitor({
    server: 's',
    onElicit: async elicitation => {
      asked += 1
      if (elicitation.mode === 'url') await elicitation.completed
      return { action: 'accept' }
    },
  })
  const page = { message: 'Agree first.', url: 'https://example.com/once', elicitationId: 'once' }
  const refusal = Object.assign(new Error('refused'), { code: -32042, data: { elicitations: [page] } })
  const { signal } = new AbortController()
  const first = elicitor?.visitPages(refusal, signal)
  elicitor?.complete('once')
  expect(await first).toBe(true)
  // The refusal of an earlier request that is read only now.
  expect(await elicitor?.visitPages(refusal, signal)).toBe(true)
  expect(asked).toBe(1)
})
