import type { Json } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileData, compileText } from './compile-template.ts'
import { toText } from './json.ts'

function site(values: Record<string, Json>) {
  return {
    path: 'p',
    visible: new Map(Object.keys(values).map(key => [key, { key }])),
    uses: new Set<{ key: string }>(),
  }
}
const text = (template: string, values: Record<string, Json>) =>
  compileText(template, site(values))(new Map(Object.entries(values)))
const data = (template: Json, values: Record<string, Json>) =>
  compileData(template, site(values))(new Map(Object.entries(values)))

describe('a template', () => {
  it('a template inserts strings unchanged, null as nothing, and other values as JSON', () => {
    expect(text('{{a}}|{{ b }}|{{c}}|{{d.0.x}}|{{d}}', { a: 'text', b: null, c: 5, d: [{ x: true }] })).toBe(
      'text||5|true|[{"x":true}]',
    )
    expect(text(String.raw`\{{a}} {a} }}`, { a: 1 })).toBe('{{a}} {a} }}')
  })

  it('a string that is only one placeholder becomes the value itself', () => {
    expect(data({ list: ['{{a}}', ' {{a}}', 1, null], a: '{{a.x}}' }, { a: { x: [1] } })).toEqual({
      list: [{ x: [1] }, ' {"x":[1]}', 1, null],
      a: [1],
    })
  })

  it('values are inserted once and unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, other) => {
        const values = { a: value as Json, b: `${other}{{a}}\\{{b}}$&` }
        expect(text('<{{a}}|{{b}}|{{a}}>', values)).toBe(`<${toText(values.a)}|${values.b}|${toText(values.a)}>`)
        expect(data('{{a}}', values)).toBe(values.a)
      }),
    )
  })
})
