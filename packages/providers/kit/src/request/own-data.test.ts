import { expect, it } from 'vitest'
import { ownDataOf } from './own-data.ts'

it('gives a provider what it left itself, and nothing of others', () => {
  expect(ownDataOf({ providerData: { provider: 'acme', data: { id: '1' } } }, 'acme')).toEqual({ id: '1' })
  expect(ownDataOf({ providerData: { provider: 'other', data: { id: '1' } } }, 'acme')).toEqual({})
  for (const data of [null, 'x', [1]])
    expect(ownDataOf({ providerData: { provider: 'acme', data } }, 'acme')).toEqual({})
  expect(ownDataOf({}, 'acme')).toEqual({})
})
