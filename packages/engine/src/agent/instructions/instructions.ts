import { ParleyError, type Json, type SystemPart } from '@parley/core'
import { parseTemplate, type ParsedTemplate, type PromptTemplate } from './prompt-template.ts'
import { renderTemplate, type TemplateValues } from './render-template.ts'

/** Text, parts of which the volatile ones come last, or a template. */
export type Instructions = string | PromptTemplate | readonly (SystemPart | PromptTemplate)[]

/** Instructions as far as they can be worked out before a run. */
export interface PreparedInstructions {
  /** The whole, when no template is among them. */
  readonly fixed: readonly SystemPart[] | undefined
  /** Names a run must give values for and does not. */
  missing(variables: Readonly<Record<string, Json>>): readonly string[]
  /** @throws ParleyError `config-invalid` naming the variable that is missing or unknown. */
  checkVariables(variables: Readonly<Record<string, Json>>): void
  render(values: TemplateValues): readonly SystemPart[]
}

/** @throws ParleyError `config-invalid` below `path`. */
export function prepareInstructions(instructions: Instructions, path: string): PreparedInstructions {
  const listed = isList(instructions)
  const given = listed ? instructions : [instructions]
  const parts = given.map((part, index): SystemPart | ParsedTemplate => {
    const place = listed ? `${path}[${index}]` : path
    if (typeof part === 'string') return { text: part }
    if (typeof part === 'object' && part !== null && 'template' in part) return parseTemplate(part, place)
    if (typeof part?.text !== 'string')
      throw new ParleyError({ code: 'config-invalid', path: place, detail: 'is no text' })
    return part
  })
  const templates = parts.filter(part => 'pieces' in part)
  const declared = templates.flatMap(({ variables }) => variables)
  const required = templates.flatMap(template => template.required)
  const missingOf = (variables: Readonly<Record<string, Json>>): readonly string[] =>
    required.filter(name => !Object.hasOwn(variables, name))
  return {
    missing: missingOf,
    fixed: templates.length > 0 ? undefined : parts.filter(part => 'text' in part),
    checkVariables(variables) {
      const missing = missingOf(variables)
      if (missing.length > 0) {
        refuse('variables', `the instructions of the agent need ${missing.map(name => `'${name}'`).join(', ')}`)
      }
      const unknown = Object.keys(variables).find(name => !declared.includes(name))
      if (unknown === undefined) return
      const known = declared.length === 0 ? 'they declare none' : `they declare ${declared.join(', ')}`
      refuse(`variables.${unknown}`, `is not used by the instructions of the agent; ${known}`)
    },
    render: values => parts.map(part => ('pieces' in part ? renderTemplate(part, values) : part)),
  }
}

function isList(instructions: Instructions): instructions is readonly (SystemPart | PromptTemplate)[] {
  return Array.isArray(instructions)
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
