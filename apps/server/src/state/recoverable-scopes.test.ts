import { expect, it } from 'vitest'
import { RecoverableScopes } from './recoverable-scopes.ts'

it('a server resumes runs of its own scopes, and of the 1,000 scopes whose clients used it last', () => {
  const scopes = new RecoverableScopes(['own'])
  for (let number = 0; number < 1_000; number++) scopes.add(`s${number}`)
  scopes.add('s0')
  scopes.add('own')
  scopes.add('new')
  const all = [...scopes]
  expect([all.length, all[0], all.at(-1)]).toEqual([1_001, 'own', 'new'])
  expect([all.includes('s0'), all.includes('s1')]).toEqual([true, false])
})
