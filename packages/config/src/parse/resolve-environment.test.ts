import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseConfig } from './parse-config.ts'
import { resolveEnvironment } from './resolve-environment.ts'

const resolved = (value: unknown, environment = {}): unknown => resolveEnvironment(value, environment).value

describe('resolveEnvironment', () => {
  it('replaces references within strings, at any depth, keys excepted', () => {
    const value = { '${A}': ['x ${A} ${env:B}', 7, null, { c: '${A}${A}' }] }
    expect(resolved(value, { A: '1', B: '2' })).toEqual({ '${A}': ['x 1 2', 7, null, { c: '11' }] })
  })

  it('takes a default for a variable that is not set, or empty', () => {
    expect(resolved(['${A:-one}', '${A:-}', '${B:-x}'], { A: '', B: 'set' })).toEqual(['one', '', 'set'])
  })

  it('leaves what is escaped, and what is no reference', () => {
    const value = ['$${A}', '$A', '${', '${A', '${1}', '${A B}']
    expect(resolved(value, { A: 'x' })).toEqual(['${A}', '$A', '${', '${A', '${1}', '${A B}'])
  })

  it('names every variable that is not set, with its key', () => {
    const { problems } = resolveEnvironment({ a: '${ONE}', b: ['${TWO} ${THREE}'] }, {})
    expect(problems).toEqual([
      { key: ['a'], detail: 'names the environment variable ONE, which is not set' },
      { key: ['b', 0], detail: 'names the environment variable TWO, which is not set' },
      { key: ['b', 0], detail: 'names the environment variable THREE, which is not set' },
    ])
  })

  it('takes nothing from what every object has', () => {
    expect(resolveEnvironment('${toString}', {}).problems).toHaveLength(1)
  })

  it('puts any value in as it is: it cannot become a reference, a key or another shape', () => {
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

  it('does not look into comments', () => {
    expect(parseConfig('# ${NOT_SET}\nagents: { clerk: {} } # ${NOT_SET}', { format: 'yaml' }).data).toEqual({
      agents: { clerk: {} },
    })
  })
})
