import type { CreateMessageRequestParams } from '@modelcontextprotocol/client'
import type { ModelRequest } from '@parley/core'

/** The smallest limits among model providers: the number of tools, and the characters of a tool's name. */
const MAX_TOOLS = 128
const NAME = /^[A-Za-z0-9_-]{1,64}$/

type SamplingTools = NonNullable<CreateMessageRequestParams['tools']>

/** Converts the tools that a server offers the model. Rejects with a message for the server if one is invalid. */
export function toSamplingTools(
  tools: SamplingTools,
  choice: CreateMessageRequestParams['toolChoice'],
): Pick<ModelRequest, 'tools' | 'toolChoice'> {
  if (tools.length > MAX_TOOLS) throw invalidParams(`tools: has ${tools.length} tools; must have at most ${MAX_TOOLS}`)
  const known = new Set<string>()
  const specs = tools.map(({ name, description, inputSchema }, index) => {
    if (!NAME.test(name))
      throw invalidParams(`tools.${index}.name: '${name}' must have 1 to 64 of the characters A-Z a-z 0-9 _ -`)
    if (known.has(name)) throw invalidParams(`tools.${index}.name: '${name}' is the name of another tool`)
    known.add(name)
    return {
      name,
      description: description ?? name,
      inputSchema,
    }
  })
  const mode = choice?.mode ?? 'auto'
  if (mode === 'required' && specs.length === 0) throw invalidParams('toolChoice: required needs at least one tool')
  return { tools: specs, ...(specs.length === 0 ? {} : { toolChoice: mode }) }
}

/** An error with the code of the protocol for invalid parameters. */
export function invalidParams(message: string): Error {
  return Object.assign(new Error(message), { code: -32602 })
}
