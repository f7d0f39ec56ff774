import type { Json, SystemPart } from '@parley/core'
import { isBuiltIn, type BuiltInVariable, type ParsedTemplate } from './prompt-template.ts'

export interface TemplateValues {
  readonly builtIn: Readonly<Record<BuiltInVariable, string>>
  /** The run's variables. */
  readonly variables: Readonly<Record<string, Json>>
  /** The text of instructions that are a function. */
  readonly evaluated: string
}

/** Replaces the placeholders in one pass: braces in a value are not placeholders. */
export function renderPieces(
  { pieces, volatile }: ParsedTemplate,
  { builtIn, variables }: Pick<TemplateValues, 'builtIn' | 'variables'>,
): SystemPart {
  const texts = pieces.map(piece => {
    if ('text' in piece) return piece.text
    if (isBuiltIn(piece.name)) return builtIn[piece.name]
    const value = Object.hasOwn(variables, piece.name) ? variables[piece.name] : ''
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
  return { text: texts.join(''), ...(volatile ? { volatile } : {}) }
}
