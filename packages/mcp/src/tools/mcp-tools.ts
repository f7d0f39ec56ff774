import { compileWildcard, type Tool, type ToolSource } from '@parley/core'
import { checkToolOptions } from '../config/check-tool-options.ts'
import { createToolNamer } from './tool-namer.ts'
import type { McpToolHost, McpToolInfo } from './mcp-tool-host.ts'
import type { McpToolOptions } from '../config/mcp-tool-options.ts'
import { createToolSearch, estimateTokens, type SearchableTool } from './tool-search.ts'
import { toTool } from './to-tool.ts'

/**
 * Creates another view of a server's tools, with other names, or with fewer tools for an agent with fewer permissions.
 * A tool that does not change stays the same object. Disposing the view does not close the server.
 * @throws ParleyError `config-invalid` naming the invalid option.
 */
export function mcpTools(server: McpToolHost, options: McpToolOptions = {}): ToolSource {
  checkToolOptions(options, `${server.name}.tools`)
  const { searchAboveTokens = Infinity } = options
  const allowed = (options.allow ?? ['*']).map(compileWildcard)
  const denied = (options.deny ?? []).map(compileWildcard)
  const namer = createToolNamer({ ...options, server: server.name })
  const made = new WeakMap<McpToolInfo, Tool>()

  function toolOf(info: McpToolInfo): Tool {
    const tool = made.get(info) ?? toTool(info, namer.nameOf(info.name), server)
    made.set(info, tool)
    return tool
  }

  /** Returns the allowed tools, under the server's names. */
  async function offered(signal: AbortSignal | undefined): Promise<readonly SearchableTool[]> {
    const listed = await server.listTools({ signal })
    return listed
      .filter(({ name }) => allowed.some(fits => fits(name)) && !denied.some(fits => fits(name)))
      .map(info => ({ name: info.name, tool: toolOf(info) }))
  }

  const { prefix = `mcp__${server.name}__` } = options
  const search = createToolSearch({ server: server.name, prefix, timeoutMs: server.callTimeoutMs, find: offered })

  return {
    name: server.name,
    async tools({ signal } = {}) {
      const tools = (await offered(signal)).map(({ tool }) => tool)
      return estimateTokens(tools) > searchAboveTokens ? search : tools
    },
    onChange: listener => server.onChange(listener),
    async [Symbol.asyncDispose]() {},
  }
}
