import { expect, it } from 'vitest'
import { createMemoryArtifacts } from './create-memory-artifacts.ts'

it('createMemoryArtifacts removes the oldest artifacts beyond maxCharacters', async () => {
  const store = createMemoryArtifacts({ maxCharacters: 10 })
  const owner = { scope: 's', sessionId: 'x' }
  const put = (text: string) => store.put(owner, { text, tool: 't', callId: 'c' })
  const ids = [await put('aaaaaa'), await put('bbbbbb')]
  expect(ids.map(id => store.get(owner, id))).toMatchObject([undefined, { text: 'bbbbbb' }])
})
