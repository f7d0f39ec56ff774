import { expect, it } from 'vitest'
import { vertexAddress } from './vertex-address.ts'

it.each([
  [undefined, 'https://aiplatform.googleapis.com/v1/projects/p-1/locations/global'],
  ['global', 'https://aiplatform.googleapis.com/v1/projects/p-1/locations/global'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com/v1/projects/p-1/locations/eu'],
  ['us-east5', 'https://us-east5-aiplatform.googleapis.com/v1/projects/p-1/locations/us-east5'],
])('vertexAddress returns the address of the location %s', (location, address) => {
  expect(vertexAddress({ project: 'p-1', location }, 'v1')).toBe(address)
})

it.each([
  { project: '' },
  { project: 'a/b' },
  { project: 'p', location: 'evil.example/' },
  { project: 'p', location: '' },
])('vertexAddress rejects %j', place => {
  expect(() => vertexAddress(place, 'v1')).toThrow(expect.objectContaining({ code: 'config-invalid' }))
})
