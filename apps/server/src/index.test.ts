import { expect, it } from 'vitest'
import * as server from './index.ts'

it('the package exports exactly these values', () => {
  expect(Object.keys(server).sort()).toEqual(['createServerApp', 'hashApiKey', 'openServer'])
})
