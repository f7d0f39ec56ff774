import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseConfig } from './parse-config.ts'
import { resolveEnvironment } from './resolve-environment.ts'

const resolved = (value: unknown, environment = {}): unknown => resolveEnvironment(value, environment).value

describe('resolveEnvironment', () => {
  it('resolveEnvironment replaces references in strings at any depth, but not in keys', () => {
    const value = { '${A}': ['x ${A} ${env:B}', 7, null, { c: '${A}${A}' }] }
    expect(resolved(value, { A: '1', B: '2' })).toEqual({ '${A}': ['x 1 2', 7, null, { c: '11' }] })
  })

  it('the default replaces a variable that is not set or empty', () => {
    expect(resolved(['${A:-one}', '${A:-}', '${B:-x}'], { A: '', B: 'set' })).toEqual(['one', '', 'set'])
  })

  it('resolveEnvironment unescapes $${NAME} and keeps text that is not a reference', () => {
    const value = ['$${A}', '$A', '${', '${A', '${1}', '${A B}']
    expect(resolved(value, { A: 'x' })).toEqual(['${A}', '$A', '${', '${A', '${1}', '${A B}'])
  })

  it('resolveEnvironment reports every variable that is not set, with its key', () => {
    const { problems } = resolveEnvironment({ a: '${ONE}', b: ['${TWO} ${THREE}'] }, {})
    expect(problems).toEqual([
      { key: ['a'], detail: 'names the environment variable ONE, which is not set' },
      { key: ['b', 0], detail: 'names the environment variable TWO, which is not set' },
      { key: ['b', 0], detail: 'names the environment variable THREE, which is not set' },
    ])
  })

  it('resolveEnvironment ignores inherited properties of the environment', () => {
    expect(resolveEnvironment('${toString}', {}).problems).toHaveLength(1)
  })

  it('an inserted value never becomes a reference, a key or another shape', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('${A}', '"\n  b: c', '}, x: {', '$&', '# no')), text => {
        const { data } = parseConfig('agents: { clerk: { instructions: "<${A}>" } }', {
          format: 'yaml',
          environment: { A: text },
        })
        expect(data).toEqual({ agents: { clerk: { instructions: `<${text}>` } } })
      }),
    )
  })

  it('references in comments are ignored', () => {
    expect(parseConfig('# ${NOT_SET}\nagents: { clerk: {} } # ${NOT_SET}', { format: 'yaml' }).data).toEqual({
      agents: { clerk: {} },
    })
  })
})
