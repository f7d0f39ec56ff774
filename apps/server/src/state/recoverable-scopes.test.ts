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

it('a scope of the server is not counted again when its client uses it', () => {
  const scopes = new RecoverableScopes(['own'])
  scopes.add('own')
  expect([...scopes]).toEqual(['own'])
})

it('a search through the scopes ends, whatever scopes its clients add during it', () => {
  const scopes = new RecoverableScopes(['own'])
  scopes.add('s0')
  const searched: string[] = []
  for (const scope of scopes) {
    searched.push(scope)
    if (searched.length < 5) scopes.add(`new${searched.length}`)
  }
  expect(searched).toEqual(['own', 's0', 'new1'])
})
