import { refuseOption } from '@parley/core'

/** Instructions with placeholders. Plain data; `promptTemplate` checks it. */
export interface PromptTemplate {
  /**
   * Text with `{{name}}` for each value; spaces are allowed inside the braces, and `\{{` is a literal `{{`. There are no
   * conditions and no loops, and the values are not interpreted.
   */
  readonly template: string
  /**
   * Variables that a run may set. A variable that is not set renders as empty text. Built-in variables may be listed, but a run
   * cannot set them. @default none
   */
  readonly variables?: readonly string[] | undefined
  /** Those of `variables` that a run must set. @default none */
  readonly required?: readonly string[] | undefined
}

/**
 * Variables that every template may use; a run cannot set them. `current_time` is the start of the run in ISO 8601 and UTC,
 * `available_tools` a JSON array of names, `user_variables` a JSON object of the run's variables.
 */
export const BUILT_IN_VARIABLES = [
  'current_time',
  'agent_id',
  'runtime_id',
  'available_tools',
  'user_variables',
] as const
export type BuiltInVariable = (typeof BUILT_IN_VARIABLES)[number]

/** A part of a template: literal text or the name of a variable. */
export interface ParsedTemplate {
  readonly pieces: readonly TemplatePiece[]
  /** Variables that a run may set. */
  readonly variables: readonly string[]
  readonly required: readonly string[]
  /** Whether the rendered text may differ between runs with the same variables. */
  readonly volatile: boolean
}

/** A text of a template, or the name of a value between two texts. */
export type TemplatePiece = { readonly text: string } | { readonly name: string }

/**
 * Checks a template and returns it unchanged.
 * @throws ParleyError `config-invalid` if a placeholder is malformed or not declared, if a required variable is not
 * declared.
 */
export function promptTemplate(template: PromptTemplate): PromptTemplate {
  parseTemplate(template, 'promptTemplate')
  return template
}

const NAME = /^[A-Za-z_][\w.-]*$/

/** Checks a template and splits it into texts and variables. @throws ParleyError `config-invalid` below `path`. */
export function parseTemplate(
  { template, variables = [], required = [] }: PromptTemplate,
  path: string,
): ParsedTemplate {
  if (typeof template !== 'string') refuseOption(`${path}.template`, 'must be a text')
  for (const name of variables)
    if (!NAME.test(name)) refuseOption(`${path}.variables`, `'${name}' is not a valid variable name`)
  for (const name of required)
    if (!variables.includes(name)) refuseOption(`${path}.required`, `'${name}' is not one of the variables`)
  const pieces = splitTemplate(template, `${path}.template`)
  for (const piece of pieces) {
    if (!('name' in piece) || isBuiltIn(piece.name) || variables.includes(piece.name)) continue
    refuseOption(`${path}.template`, `uses '${piece.name}', which is neither declared nor built in`)
  }
  const volatile = pieces.some(piece => 'name' in piece && piece.name === 'current_time')
  const isSetByRun = (name: string): boolean => !isBuiltIn(name)
  return { pieces, variables: variables.filter(isSetByRun), required: required.filter(isSetByRun), volatile }
}

/** Whether the runtime sets this variable. */
export function isBuiltIn(name: string): name is BuiltInVariable {
  return BUILT_IN_VARIABLES.some(builtIn => builtIn === name)
}

/**
 * Splits a template into texts and variables, without checking that the variables are known. Texts are never empty.
 * @throws ParleyError `config-invalid` at `path` if a placeholder is malformed.
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
      refuseOption(path, `has a '{{' at character ${open + 1} that is not closed; write \\{{ for the braces themselves`)
    if (!NAME.test(name))
      refuseOption(path, `has '{{${name}}}' at character ${open + 1}, which is not a valid variable name`)
    pieces.push({ text }, { name })
    text = ''
    at = close + 2
  }
  pieces.push({ text: text + template.slice(at) })
  return pieces.filter(piece => 'name' in piece || piece.text !== '')
}
