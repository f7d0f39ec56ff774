import type { ModelRequest } from '@parley/core'

/** Writes instructions that describe the tools and how to call them; `undefined` if the request allows no tool calls. */
export function toolInstructions({ tools, toolChoice = 'auto', settings }: ModelRequest): string | undefined {
  if (tools.length === 0 || toolChoice === 'none') return undefined
  const listed = tools.map(({ name, description, inputSchema }) =>
    [`## ${name}`, description, `Arguments, as a JSON Schema: ${JSON.stringify(inputSchema)}`]
      .filter(line => line !== '')
      .join('\n'),
  )
  return [
    '# Tools',
    'To call tools, end your answer with one JSON object of this form, and nothing after it:',
    '{"tool_calls":[{"name":"<tool>","arguments":{}}]}',
    ...obligations(toolChoice, settings.parallelToolCalls),
    'Their results follow in the next message. When you need no tool, answer without such an object.',
    '',
    listed.join('\n\n'),
  ].join('\n')
}

function obligations(
  choice: NonNullable<ModelRequest['toolChoice']>,
  parallel: boolean | undefined,
): readonly string[] {
  const must = typeof choice === 'object' ? [`You must call '${choice.name}' now.`] : []
  if (choice === 'required') must.push('You must call a tool now.')
  return parallel === false ? [...must, 'Call one tool at a time.'] : must
}
