import { expect, it } from 'vitest'
import { createElicitor } from './elicitor.ts'

it('asks for no second visit of a page that the server says is done with', async () => {
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
  // A request that was refused before, whose refusal is read only now.
  expect(await elicitor?.visitPages(refusal, signal)).toBe(true)
  expect(asked).toBe(1)
})
