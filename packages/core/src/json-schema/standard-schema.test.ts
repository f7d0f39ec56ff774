import { expect, it } from 'vitest'
import * as z from 'zod'
import { isStandardSchema } from './standard-schema.ts'

it('isStandardSchema distinguishes a Standard Schema from a JSON Schema', () => {
  expect(isStandardSchema(z.string())).toBe(true)
  expect(isStandardSchema({ type: 'string' })).toBe(false)
})
