import { expect, it } from 'vitest'
import * as server from './index.ts'

it('exports these values and no others', () => {
  expect(Object.keys(server).sort()).toEqual(['createServerApp', 'hashApiKey', 'openServer'])
})
