import { ParleyError, refuseOption, type Json, type SystemPart } from '@parley/core'
import { parseTemplate, type ParsedTemplate, type PromptTemplate } from './prompt-template.ts'
import { renderPieces, type TemplateValues } from './render-pieces.ts'

/** Text, a template, or a list of both. Volatile parts come last, so that providers can cache the others. */
export type Instructions = string | PromptTemplate | readonly (SystemPart | PromptTemplate)[]

/** Instructions, prepared for all runs of an agent. */
export interface PreparedInstructions {
  /** The instructions as one text, with templates as they were written. */
  readonly source: string
  /** The finished instructions, if they contain no template. */
  readonly fixed: readonly SystemPart[] | undefined
  /** Required variables that a run has not set. */
  missing(variables: Readonly<Record<string, Json>>): readonly string[]
  /**
   * Checks the variables of a run.
   * @throws ParleyError `config-invalid` with the variable that is missing or unknown.
   */
  checkVariables(variables: Readonly<Record<string, Json>>): void
  render(values: TemplateValues): readonly SystemPart[]
}

/**
 * Checks instructions and prepares them for all runs of an agent.
 * @throws ParleyError `config-invalid` with a path below `path`.
 */
export function prepareInstructions(instructions: Instructions, path: string): PreparedInstructions {
  const listed = isList(instructions)
  const given = listed ? instructions : [instructions]
  const parts = given.map((part, index): SystemPart | ParsedTemplate => {
    const place = listed ? `${path}[${index}]` : path
    if (typeof part === 'string') return { text: part }
    if (typeof part === 'object' && part !== null && 'template' in part) return parseTemplate(part, place)
    if (typeof part?.text !== 'string')
      throw new ParleyError({ code: 'config-invalid', path: place, detail: 'must be a text or a template' })
    return part
  })
  const templates = parts.filter(part => 'pieces' in part)
  const declared = templates.flatMap(({ variables }) => variables)
  const required = templates.flatMap(template => template.required)
  const missingOf = (variables: Readonly<Record<string, Json>>): readonly string[] =>
    required.filter(name => !Object.hasOwn(variables, name))
  return {
    get source() {
      return given
        .map(part => (typeof part === 'string' ? part : 'text' in part ? part.text : part.template))
        .join('\n')
    },
    missing: missingOf,
    fixed: templates.length > 0 ? undefined : parts.filter(part => 'text' in part),
    checkVariables(variables) {
      const missing = missingOf(variables)
      if (missing.length > 0) {
        refuseOption('variables', `the agent's instructions require ${missing.map(name => `'${name}'`).join(', ')}`)
      }
      const unknown = Object.keys(variables).find(name => !declared.includes(name))
      if (unknown === undefined) return
      const known = declared.length === 0 ? 'they declare no variables' : `they declare ${declared.join(', ')}`
      refuseOption(`variables.${unknown}`, `is not a variable of the agent's instructions; ${known}`)
    },
    render: values => parts.map(part => ('pieces' in part ? renderPieces(part, values) : part)),
  }
}

function isList(instructions: Instructions): instructions is readonly (SystemPart | PromptTemplate)[] {
  return Array.isArray(instructions)
}
