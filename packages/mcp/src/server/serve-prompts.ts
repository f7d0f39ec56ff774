import type { PromptMessage } from '@modelcontextprotocol/server'
import { checkOptions, refuseOption, type Message, type OptionKinds } from '@parley/core'
import { checkArguments, type McpServedArguments } from './mcp-served-argument.ts'
import type { ServedParts } from './served-parts.ts'
import { toBlock } from './to-call-result.ts'

/** A prompt that `createMcpServer` offers. The user of a client chooses it, for example as a slash command. */
export interface McpServedPrompt {
  readonly name: string
  /** Tells the user what the prompt does. @default none */
  readonly description?: string | undefined
  /** Arguments by name. @default {} */
  readonly arguments?: McpServedArguments | undefined
  /**
   * Renders the prompt. A text becomes a message of the user. MCP has no system messages, so they become messages of the
   * user. Clients get text and files; tool calls and reasoning are left out.
   * @param values Values of the arguments. Required arguments have one.
   */
  render(
    values: Readonly<Record<string, string>>,
    options: { readonly signal: AbortSignal },
  ): string | readonly Message[] | Promise<string | readonly Message[]>
}

const PROMPT: OptionKinds<McpServedPrompt> = {
  name: 'string!',
  description: 'string',
  arguments: 'object',
  render: 'function!',
}

/** @throws ParleyError `config-invalid` */
export function checkPrompts(where: string, prompts: readonly McpServedPrompt[]): void {
  for (const [index, prompt] of prompts.entries()) {
    const at = `${where}[${index}]`
    checkOptions(at, prompt, PROMPT)
    checkArguments(`${at}.arguments`, prompt.arguments)
    if (prompts.findIndex(({ name }) => name === prompt.name) < index)
      refuseOption(`${at}.name`, `is '${prompt.name}', the name of another prompt; must be unique`)
  }
}

/** Offers prompts to the client of one SDK server. Offers nothing if there are none. */
export function servePrompts(prompts: readonly McpServedPrompt[], { server, sdk, guard, signal }: ServedParts): void {
  if (prompts.length === 0) return
  server.registerCapabilities({ prompts: {} })
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, description, arguments: given = {} }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      arguments: Object.entries(given).map(([argument, { description: about, required = false }]) => ({
        name: argument,
        ...(about === undefined ? {} : { description: about }),
        required,
      })),
    })),
  }))
  server.setRequestHandler('prompts/get', async ({ params }, { mcpReq }) => {
    const invalid = (text: string): never => {
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, text)
    }
    const prompt = prompts.find(({ name }) => name === params.name)
    if (prompt === undefined) {
      const known = prompts.map(({ name }) => name).join(', ')
      return invalid(`There is no prompt named '${params.name}'. Known: ${known}.`)
    }
    const values = params.arguments ?? {}
    for (const [name, { required }] of Object.entries(prompt.arguments ?? {})) {
      if (required === true && values[name] === undefined)
        invalid(`The prompt '${prompt.name}' needs the argument '${name}'.`)
    }
    const stop = AbortSignal.any([mcpReq.signal, signal])
    const rendered = await guard(async () => await prompt.render(values, { signal: stop }))
    const { description } = prompt
    return { ...(description === undefined ? {} : { description }), messages: toPromptMessages(rendered) }
  })
}

function toPromptMessages(rendered: string | readonly Message[]): PromptMessage[] {
  if (typeof rendered === 'string') return [{ role: 'user', content: { type: 'text', text: rendered } }]
  return rendered.flatMap((message): PromptMessage[] => {
    if (message.role === 'tool') return []
    if (message.role === 'system') return toPromptMessages(message.content)
    const { role } = message
    return message.content.flatMap((part, index) =>
      part.type === 'text' || part.type === 'file' ? [{ role, content: toBlock(part, index) }] : [],
    )
  })
}
