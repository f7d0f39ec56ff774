import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assignServerIds } from './assign-server-ids.ts'

it('assignServerIds numbers servers of the same name from the second one on', () => {
  expect(assignServerIds(['fs', 'git', 'fs', 'fs'])).toEqual(['fs', 'git', 'fs-1', 'fs-2'])
})

it('assignServerIds leaves a name that only one server has as it is', () => {
  expect(assignServerIds(['fs', 'fs', 'fs-1'])).toEqual(['fs', 'fs-2', 'fs-1'])
  expect(assignServerIds(['x'.repeat(32), 'x'.repeat(32)])[1]).toBe(`${'x'.repeat(30)}-1`)
})

it('assignServerIds gives any servers unique, valid names and keeps the first of each name', () => {
  const name = fc.stringMatching(/^[a-c_1-]{1,4}$|^a{30}[a1-]{2}$/)
  fc.assert(
    fc.property(fc.array(name, { maxLength: 30 }), names => {
      const ids = assignServerIds(names)
      expect(new Set(ids).size).toBe(names.length)
      for (const [index, id] of ids.entries()) {
        expect(id).toMatch(/^[A-Za-z0-9_-]{1,32}$/)
        const given = names[index] ?? ''
        if (names.indexOf(given) === index) expect(id).toBe(given)
      }
    }),
  )
})
