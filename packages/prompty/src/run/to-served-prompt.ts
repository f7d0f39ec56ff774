import type { Json, Message } from '@parley/core'
import type { PromptyAgent, PromptyProperty } from '../format/prompty-agent.ts'
import type { PromptyInputs } from '../format/validate-inputs.ts'
import { prepareMessages } from '../messages/prepare-messages.ts'
import { toPrompt } from './to-prompt.ts'

/** A prompt for the option `prompts` of `createMcpServer` in `@parley/mcp`. */
export interface ServedPrompty {
  readonly name: string
  readonly description?: string | undefined
  readonly arguments: Readonly<Record<string, ServedPromptyArgument>>
  render(values: Readonly<Record<string, string>>): Promise<readonly Message[]>
}

/** An input of the file. MCP clients send only text, so values of other kinds are JSON text. */
export interface ServedPromptyArgument {
  readonly description?: string | undefined
  readonly required: boolean
  readonly complete?: readonly string[] | undefined
}

/** Makes a prompt that an MCP server can offer. */
export function toServedPrompt(agent: PromptyAgent): ServedPrompty {
  const { name = 'prompty', displayName, description = displayName, inputs } = agent
  return {
    name,
    description,
    arguments: Object.fromEntries(inputs.map(input => [input.name, toArgument(input)])),
    async render(values) {
      // Without `files`: a client of the server must not read files of the host.
      const messages = await prepareMessages(agent, { inputs: readValues(inputs, values) })
      // The provider and the API decide where instructions go. Here they stay in the conversation, as system messages.
      const { system, messages: rest } = toPrompt(messages, { provider: '', apiType: 'chat' })
      return [...system.map(({ text }): Message => ({ role: 'system', content: text })), ...rest]
    },
  }
}

function toArgument(input: PromptyProperty): ServedPromptyArgument {
  const { description, required = false, enumValues } = input
  const complete = enumValues?.map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
  return { description, required: required && input.default === undefined, complete }
}

const TEXTS = new Set<string>(['string', 'image', 'audio', 'file'])

/** Reads values of other kinds than text. A value that is not JSON stays text. */
function readValues(inputs: readonly PromptyProperty[], values: Readonly<Record<string, string>>): PromptyInputs {
  const kinds = new Map(inputs.map(({ name, kind }) => [name, kind] as const))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, TEXTS.has(kinds.get(name) ?? '') ? value : readJson(value)]),
  )
}

function readJson(value: string): Json {
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}
