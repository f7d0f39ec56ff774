import { expect, it } from 'vitest'
import { shortIds } from './short-ids.ts'

it('shortIds returns prefixes of one length that are unique among all ids', () => {
  const all = ['01234567-aaaa-7000', '01234567-aaab-7000', '99999999-0000-7000']
  expect([...shortIds(all).values()]).toEqual(['01234567-aaaa', '01234567-aaab', '99999999-0000'])
})

it('shortIds keeps at least eight characters and never ends with a dash', () => {
  expect(shortIds(['01234567-aaaa', 'f']).get('01234567-aaaa')).toBe('01234567')
  // The ids differ at the dash, which alone would make them unique.
  expect(shortIds(['01234567-aaaa', '01234567b']).get('01234567-aaaa')).toBe('01234567-a')
})

it('shortIds measures uniqueness against runs that are not shown', () => {
  expect(shortIds(['0123456789', '012345678a'], ['0123456789'])).toEqual(new Map([['0123456789', '0123456789']]))
  expect(shortIds(['0123456789', 'ffff456789ff', 'ffff456789fe'], ['0123456789'])).toEqual(
    new Map([['0123456789', '01234567']]),
  )
})
