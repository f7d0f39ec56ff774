import { ParleyError, type Tool, type ToolSource } from '@parley/core'
import type { Agent } from '@parley/engine'
import { createPrompty, createNodeFiles } from '@parley/prompty/node'
import type { PromptyHost, ProviderFactory, ToolKindHandler } from '@parley/prompty'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { chooseModel } from './choose-model.ts'
import { parsePromptyInputs } from '../flags/prompty-inputs.ts'

export interface PromptyAgentRequest {
  readonly name: string
  readonly file: string
  /** Tools of the command line. The file selects from them by name. */
  readonly tools: readonly (Tool | ToolSource)[]
}

/**
 * Opens the agent that a .prompty file describes. `--model` replaces the file's model.
 * @throws ParleyError if the file is invalid or names something unknown.
 */
export async function openPromptyAgent(
  flags: AgentFlags,
  { name, file, tools }: PromptyAgentRequest,
): Promise<Agent & AsyncDisposable> {
  const { load, toAgent } = createPrompty(await promptyHost(file, tools))
  const prompt = await load(file)
  const kinds = new Map(prompt.inputs.map(input => [input.name, input.kind]))
  return toAgent(prompt, {
    name,
    inputs: parsePromptyInputs(flags.input, kinds),
    ...(flags.model === undefined ? {} : { model: await chooseModel(flags) }),
    ...(flags.maxTurns === undefined ? {} : { maxIterations: flags.maxTurns }),
    tools: toolsByName(
      prompt.tools.map(tool => tool.name),
      tools,
    ),
  })
}

async function promptyHost(file: string, tools: readonly (Tool | ToolSource)[]): Promise<PromptyHost> {
  const [openai, anthropic, google, ollama] = await Promise.all([
    import('@parley/openai'),
    import('@parley/anthropic'),
    import('@parley/google'),
    import('@parley/ollama'),
  ])
  const providers: Readonly<Record<string, ProviderFactory>> = {
    openai: openai.createOpenAI,
    azure: openai.createOpenAI,
    foundry: openai.createOpenAI,
    anthropic: anthropic.createAnthropic,
    google: google.createGoogle,
    ollama: ollama.createOllama,
  }
  return { providers, toolKinds: { mcp: mcpKind(tools), openapi: openApiKind(file) } }
}

/** Finds an MCP server among those of `--mcp` by name, or opens one at the address in the file. */
function mcpKind(tools: readonly (Tool | ToolSource)[]): ToolKindHandler {
  return async ({ name, serverName = name }, { connection, signal }) => {
    const known = tools.find(tool => 'tools' in tool && tool.name === serverName)
    // The command line closes the servers of --mcp, so closing the agent must not.
    if (known !== undefined && 'tools' in known)
      return {
        ...known,
        name: known.name,
        tools: options => known.tools(options),
        [Symbol.asyncDispose]: async () => {},
      }
    const { baseUrl: url, apiKey } = connection
    if (url === undefined)
      throw new ParleyError({
        code: 'config-invalid',
        path: `tools.${name}`,
        detail: `names the MCP server '${String(serverName)}', which requires an endpoint or an entry in the file of --mcp`,
      })
    const { openMcpServer } = await import('@parley/mcp')
    const headers = apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }
    return openMcpServer({ transport: 'http', name: String(serverName), url, ...headers }, { signal })
  }
}

/** Reads an OpenAPI document from a URL, or from a file in the folder of the .prompty file. */
function openApiKind(file: string): ToolKindHandler {
  return async ({ name, specification }, { connection, signal }) => {
    const { openApiTools, parseOpenApi, readOpenApi } = await import('@parley/tools/openapi')
    const { baseUrl, apiKey } = connection
    const source = String(specification)
    const document = /^https?:/i.test(source)
      ? await readOpenApi(source, { signal })
      : parseOpenApi(new TextDecoder().decode(await createNodeFiles().readReference(source, { from: file })))
    return openApiTools(document, {
      name,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKey === undefined ? {} : { auth: { type: 'bearer', token: apiKey } }),
    })
  }
}

function toolsByName(wanted: readonly string[], tools: readonly (Tool | ToolSource)[]): Readonly<Record<string, Tool>> {
  const own = tools.filter((tool): tool is Tool => !('tools' in tool) && wanted.includes(tool.name))
  return Object.fromEntries(own.map(tool => [tool.name, tool]))
}
