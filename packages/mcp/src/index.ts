export type { McpResource, McpResourceContents, McpResourceTemplate } from './mcp-results.ts'
export type { McpCallResult, McpContent, McpPrompt, McpPromptResult } from './mcp-results.ts'
export type {
  McpHttpDefinition,
  McpServerDefinition,
  McpServerFields,
  McpStdioDefinition,
} from './mcp-server-definition.ts'
export type { McpServerStatus } from './mcp-server-status.ts'
export type {
  McpCallOptions,
  McpLogLevel,
  McpProgress,
  McpRequestOptions,
  McpServer,
  McpWaitOptions,
} from './mcp-server.ts'
export type { McpStopReport } from './mcp-stop-report.ts'
export type { McpToolInfo } from './mcp-tool-info.ts'
export type { McpNameCollision, McpToolOptions } from './mcp-tool-options.ts'
export { mcpTools, type McpToolHost } from './mcp-tools.ts'
export { openMcpServer, type OpenMcpServerOptions } from './open-mcp-server.ts'
export { openMcpServers, type McpServers, type OpenMcpServersOptions } from './open-mcp-servers.ts'
export { parseMcpConfig, type ParseMcpConfigOptions } from './parse-mcp-config.ts'
