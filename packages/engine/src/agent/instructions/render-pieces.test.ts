import type { Json } from '@parley/core'
import { expect, it } from 'vitest'
import { parseTemplate } from './prompt-template.ts'
import { renderPieces } from './render-pieces.ts'

const builtIn = { current_time: '', agent_id: '', runtime_id: '', available_tools: '', user_variables: '' }

function render(name: string, variables: Readonly<Record<string, Json>>): string {
  const parsed = parseTemplate({ template: `[{{${name}}}]`, variables: [name] }, 'test')
  return renderPieces(parsed, { builtIn, variables }).text
}

it.each(['name', '__proto__', 'constructor', 'toString'])(
  'a variable %s that the run does not set renders as empty text',
  name => {
    expect(render(name, {})).toBe('[]')
  },
)

it.each(['name', '__proto__', 'constructor', 'toString'])(
  'a variable %s that the run sets renders as its value',
  name => {
    expect(render(name, JSON.parse(`{"${name}":"value"}`) as Record<string, Json>)).toBe('[value]')
  },
)
