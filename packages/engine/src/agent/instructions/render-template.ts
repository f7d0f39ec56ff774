import type { Json, SystemPart } from '@parley/core'
import { isBuiltIn, type BuiltInVariable, type ParsedTemplate } from './prompt-template.ts'

export interface TemplateValues {
  readonly builtIn: Readonly<Record<BuiltInVariable, string>>
  /** What the run was given. */
  readonly variables: Readonly<Record<string, Json>>
}

/** The template's text with its values in place, in one pass: braces in a value stay what they are. */
export function renderTemplate(
  { pieces, volatile }: ParsedTemplate,
  { builtIn, variables }: TemplateValues,
): SystemPart {
  const texts = pieces.map(piece => {
    if ('text' in piece) return piece.text
    if (isBuiltIn(piece.name)) return builtIn[piece.name]
    const value = Object.hasOwn(variables, piece.name) ? variables[piece.name] : ''
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
  return { text: texts.join(''), ...(volatile ? { volatile } : {}) }
}
