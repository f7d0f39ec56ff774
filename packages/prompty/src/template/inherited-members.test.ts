import { expect, it } from 'vitest'
import { renderTemplate } from './render-template.ts'

it.each(['constructor', 'toString', '__proto__'])(
  'a jinja template finds %s only among the object’s own members',
  name => {
    const template = `{{ "yes" if "${name}" in o else "no" }}`
    const own = JSON.parse(`{"${name}":1}`) as Record<string, unknown>
    expect(renderTemplate({ template, inputs: { o: { p: 1 } } }).text).toBe('no')
    expect(renderTemplate({ template, inputs: { o: own } }).text).toBe('yes')
  },
)

it.each(['constructor', 'toString'])(
  'a mustache section looks outside its object for %s, which the object inherits',
  name => {
    const template = `{{#o}}{{${name}}}{{/o}}`
    const inputs = { o: { p: 1 }, [name]: 'given' }
    expect(renderTemplate({ template, engine: 'mustache', inputs }).text).toBe('given')
  },
)
