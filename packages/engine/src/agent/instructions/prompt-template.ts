import { ParleyError } from '@parley/core'

/** Instructions with places for values. Plain data; `promptTemplate` checks it. */
export interface PromptTemplate {
  /**
   * Text with `{{name}}` where a value goes, spaces allowed inside the braces; `\{{` is a literal `{{`. No conditions, no
   * loops: a value is put in as it is and never looked at again.
   */
  readonly template: string
  /** Names a run may give values for. One that is given none is empty text. @default none */
  readonly variables?: readonly string[] | undefined
  /** Those of `variables` a run must give. @default none */
  readonly required?: readonly string[] | undefined
}

/**
 * Values every template may use; a run cannot override them. `current_time` is the run's start, ISO 8601 in UTC;
 * `available_tools` a JSON array of names; `user_variables` a JSON object of what the run was given.
 */
export const BUILT_IN_VARIABLES = [
  'current_time',
  'agent_id',
  'runtime_id',
  'available_tools',
  'user_variables',
] as const
export type BuiltInVariable = (typeof BUILT_IN_VARIABLES)[number]

/** A template taken apart: literal text, and names of variables. */
export interface ParsedTemplate {
  readonly pieces: readonly TemplatePiece[]
  readonly variables: readonly string[]
  readonly required: readonly string[]
  /** Whether its text may differ from run to run without the caller saying so. */
  readonly volatile: boolean
}

export type TemplatePiece = { readonly text: string } | { readonly name: string }

/**
 * Checks a template and gives it back.
 * @throws ParleyError `config-invalid` for a placeholder that is malformed or not declared, a required variable that is
 * not declared, and a declared one that is built in.
 */
export function promptTemplate(template: PromptTemplate): PromptTemplate {
  parseTemplate(template, 'promptTemplate')
  return template
}

const NAME = /^[A-Za-z_][\w.-]*$/

/** @throws ParleyError `config-invalid` below `path`. */
export function parseTemplate(
  { template, variables = [], required = [] }: PromptTemplate,
  path: string,
): ParsedTemplate {
  if (typeof template !== 'string') refuse(`${path}.template`, 'is no text')
  for (const name of variables) {
    if (!NAME.test(name)) refuse(`${path}.variables`, `'${name}' is no name of a variable`)
    if (isBuiltIn(name)) refuse(`${path}.variables`, `'${name}' is built in and cannot be declared`)
  }
  for (const name of required)
    if (!variables.includes(name)) refuse(`${path}.required`, `'${name}' is not among the variables`)
  const pieces = splitTemplate(template, `${path}.template`)
  for (const piece of pieces) {
    if (!('name' in piece) || isBuiltIn(piece.name) || variables.includes(piece.name)) continue
    refuse(`${path}.template`, `uses '${piece.name}', which is neither declared nor built in`)
  }
  const volatile = pieces.some(piece => 'name' in piece && piece.name === 'current_time')
  return { pieces, variables, required, volatile }
}

/** Whether a value for this name comes from the runtime. */
export function isBuiltIn(name: string): name is BuiltInVariable {
  return BUILT_IN_VARIABLES.some(builtIn => builtIn === name)
}

/**
 * Takes a template apart, without asking whether its variables are known; no piece of text is empty.
 * @throws ParleyError `config-invalid` at `path` for a malformed placeholder.
 */
export function splitTemplate(template: string, path: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = []
  let text = ''
  let at = 0
  for (;;) {
    const open = template.indexOf('{{', at)
    if (open < 0) break
    text += template.slice(at, open)
    if (text.endsWith('\\')) {
      text = `${text.slice(0, -1)}{{`
      at = open + 2
      continue
    }
    const close = template.indexOf('}}', open)
    const name = template.slice(open + 2, Math.max(open + 2, close)).trim()
    if (close < 0)
      refuse(path, `has a '{{' at character ${open + 1} that is not closed; write \\{{ for the braces themselves`)
    if (!NAME.test(name)) refuse(path, `has '{{${name}}}' at character ${open + 1}, which is no name of a variable`)
    pieces.push({ text }, { name })
    text = ''
    at = close + 2
  }
  pieces.push({ text: text + template.slice(at) })
  return pieces.filter(piece => 'name' in piece || piece.text !== '')
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
