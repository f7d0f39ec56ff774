import { describe, expect, it } from 'vitest'
import { defineTool } from './define-tool.ts'
import { ParleyError } from '../errors/parley-error.ts'

const search = { name: 'search', description: 'Searches.', input: { type: 'object' }, execute: () => 'found' }

describe('defineTool', () => {
  it('defineTool returns its definition', () => {
    expect(defineTool(search)).toBe(search)
    const bounded = { ...search, name: 'A-b_9'.padEnd(64, 'x'), timeoutMs: 0.5, concurrency: 1 }
    expect(defineTool(bounded)).toBe(bounded)
  })

  it.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name with a space', { name: 'a b' }, 'name'],
    ['a name of 65 characters', { name: 'x'.repeat(65) }, 'name'],
    ['a blank description', { description: ' \n' }, 'description'],
    ['a timeout of 0', { timeoutMs: 0 }, 'timeoutMs'],
    ['a timeout of NaN', { timeoutMs: Number.NaN }, 'timeoutMs'],
    ['a concurrency of 0', { concurrency: 0 }, 'concurrency'],
    ['a fractional concurrency', { concurrency: 1.5 }, 'concurrency'],
  ])('defineTool rejects %s with config-invalid and the field', (_, change, field) => {
    const definition = { ...search, ...change }
    let thrown: unknown
    try {
      defineTool(definition)
    } catch (error) {
      thrown = error
    }
    expect(ParleyError.is(thrown, 'config-invalid')).toBe(true)
    expect(thrown).toMatchObject({ info: { path: `tools.${definition.name}.${field}` } })
  })
})
