import type { JsonSchemaObject, Tool, ToolEffect } from '@parley/core'
import type { McpProgress, McpToolHost, McpToolInfo } from './mcp-tool-host.ts'
import { toToolFailure } from './to-tool-failure.ts'
import { toToolOutcome } from './to-tool-outcome.ts'

/**
 * Creates an agent's tool from a tool of a server. Failures are error outcomes; only an aborted call throws, with the
 * signal's reason. The effect comes from the server's hints: `readOnlyHint` → `read`, `idempotentHint` → `idempotent`.
 */
export function toTool(info: McpToolInfo, name: string, server: McpToolHost): Tool {
  const { description, title, inputSchema, annotations } = info
  const effect = effectOf(annotations)
  return {
    name,
    description: [description, title].find(text => text !== undefined && text.trim() !== '') ?? describe(info, server),
    input: plain(inputSchema),
    effect,
    // Without it, the agent's default timeout would override the server's `callTimeoutMs`.
    timeoutMs: server.callTimeoutMs,
    async execute(input, { signal, progress }) {
      try {
        const onProgress = ({ progress: done, total, message }: McpProgress): void =>
          progress({
            progress: done,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          })
        return toToolOutcome(
          await server.callTool(info.name, input, { onProgress, signal, idempotent: effect !== 'once' }),
          name,
        )
      } catch (error) {
        signal.throwIfAborted()
        return toToolFailure(error, { tool: name, effect })
      }
    },
  }
}

function effectOf(annotations: McpToolInfo['annotations']): ToolEffect {
  if (annotations?.readOnlyHint === true) return 'read'
  return annotations?.idempotentHint === true ? 'idempotent' : 'once'
}

function describe({ name }: McpToolInfo, server: McpToolHost): string {
  return `The tool '${name}' of the MCP server '${server.name}'.`
}

/** Removes `~standard` from a server's schema: the engine would call its members as those of a Standard Schema. */
function plain(schema: JsonSchemaObject): JsonSchemaObject {
  if (!('~standard' in schema)) return schema
  const { '~standard': _, ...rest } = schema
  return rest
}
