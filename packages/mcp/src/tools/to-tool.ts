import type { JsonSchemaObject, Tool, ToolEffect } from '@parley/core'
import type { McpProgress, McpToolHost, McpToolInfo } from './mcp-tool-host.ts'
import { toToolFailure } from './to-tool-failure.ts'
import { toToolOutcome } from './to-tool-outcome.ts'

/**
 * One tool of a server as a tool of an agent. It reports failures as error outcomes; only an aborted call throws, the
 * signal's reason. Its effect is what the server's hints claim: `readOnlyHint` → `read`, `idempotentHint` → `idempotent`.
 */
export function toTool(info: McpToolInfo, name: string, server: McpToolHost): Tool {
  const { description, title, inputSchema, annotations } = info
  const effect = effectOf(annotations)
  return {
    name,
    description: [description, title].find(text => text !== undefined && text.trim() !== '') ?? describe(info, server),
    input: plain(inputSchema),
    effect,
    // Else an agent's shorter default would overrule what was said of this server.
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

/** A server's schema is data: it must not pass for a Standard Schema, whose members are called. */
function plain(schema: JsonSchemaObject): JsonSchemaObject {
  if (!('~standard' in schema)) return schema
  const { '~standard': _, ...rest } = schema
  return rest
}
