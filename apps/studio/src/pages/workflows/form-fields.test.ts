import { expect, test } from 'vitest'
import { readValues, toFormFields } from './form-fields.ts'

const schema = {
  type: 'object',
  properties: {
    topic: { type: 'string', description: 'What about' },
    pages: { type: 'integer', default: 3 },
    tone: { type: 'string', enum: ['plain', 'formal'] },
    isPublic: { type: 'boolean' },
    sources: { type: 'array' },
  },
  required: ['topic', 'pages'],
} as const

test('a form has a field for each property; a property with a default is not required', () => {
  expect(toFormFields(schema)).toMatchObject([
    { name: 'topic', kind: 'text', isRequired: true, description: 'What about' },
    { name: 'pages', kind: 'number', isRequired: false, initial: '3' },
    { name: 'tone', kind: 'choice', options: ['plain', 'formal'] },
    { name: 'isPublic', kind: 'boolean' },
    { name: 'sources', kind: 'json' },
  ])
})

test('values have the types of the schema, and empty fields are left out', () => {
  const form = new FormData()
  for (const [name, text] of Object.entries({ topic: '7', pages: '4', tone: '', isPublic: 'true', sources: '["a"]' }))
    form.set(`field-${name}`, text)
  expect(readValues(toFormFields(schema), form)).toEqual({ topic: '7', pages: 4, isPublic: true, sources: ['a'] })
})

test('a field with malformed JSON is named', () => {
  const form = new FormData()
  form.set('field-sources', '[1')
  expect(() => readValues(toFormFields(schema), form)).toThrow('The field “sources” is not JSON')
})
