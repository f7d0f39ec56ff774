const TYPED_TOOL = `import * as z from 'zod'
const weather = defineTool({
  name: 'weather',
  description: 'Returns the weather of a city.',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => \`It rains in \${city}.\`,
})`

const UNTYPED_TOOL = `const weather = defineTool({
  name: 'weather',
  description: 'Returns the weather of a city.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: input => \`It rains in \${(input as { readonly city: string }).city}.\`,
})`

const programWith = (
  tool: string,
): string => `import { defineTool, type Message, type RunEvent, type Usage } from '@parley/core'
import { createRuntime, defineAgent, type RunResult } from '@parley/engine'
import { createOpenAI } from '@parley/openai'
${tool}
const model = createOpenAI({ apiKey: 'key' }).model('gpt-4.1-mini')
const agent = defineAgent({ name: 'assistant', model, tools: [weather] })
const runtime = createRuntime({ agents: [agent] })
export async function ask(question: string): Promise<readonly Message[]> {
  const done: RunResult = await runtime.run('assistant', question).result
  if (done.status === 'suspended') for (const waiting of done.approvals) console.log(waiting)
  const spent: Usage = done.usage
  console.log(spent)
  return done.messages
}
export function isLast(event: RunEvent): boolean {
  return event.type === 'run.ended' && event.outcome.status === 'completed'
}
export async function close(): Promise<void> {
  await using closing = runtime
  console.log(closing)
}
`

/** A small program with the main entry points and types, as a user writes it. Its tool has a zod schema. */
export const AGENT_PROGRAM = programWith(TYPED_TOOL)

/** The same program with a JSON Schema, which needs no schema library. */
export const PROGRAM_WITHOUT_ZOD = programWith(UNTYPED_TOOL)

/** Names of the program, each with a hover that must name its types. */
export const HOVERED = [
  'defineTool',
  'defineAgent',
  'createRuntime',
  'createOpenAI',
  'RunResult',
  'Message',
  'RunEvent',
  'Usage',
  'weather',
  'runtime',
  'done',
  'waiting',
  'spent',
  'model',
]

/** Functions of the program whose implementation an editor must find. */
export const CALLED = ['defineTool', 'defineAgent', 'createRuntime', 'createOpenAI']
