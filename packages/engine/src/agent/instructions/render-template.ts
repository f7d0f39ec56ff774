import { builtInValues, type RenderContext } from './built-in-values.ts'
import { prepareInstructions } from './instructions.ts'
import type { PromptTemplate } from './prompt-template.ts'

/**
 * Renders a template as the engine does for the instructions of an agent.
 * @throws ParleyError `config-invalid` if the template is invalid, a required variable is missing, or a variable is not
 * declared.
 */
export function renderTemplate(template: PromptTemplate, context: RenderContext = {}): string {
  const { variables = {} } = context
  const prepared = prepareInstructions(template, 'template')
  prepared.checkVariables(variables)
  const parts = prepared.fixed ?? prepared.render({ variables, evaluated: '', builtIn: builtInValues(context) })
  return parts.map(({ text }) => text).join('')
}
