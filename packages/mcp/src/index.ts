export { agentsAsTools, type AgentsAsToolsOptions } from './agents-as-tools.ts'
export type { McpAgent, McpAgentHost, McpAgentResult, McpAgentRun } from './mcp-agent-host.ts'
export {
  createMcpServer,
  type CreateMcpServerOptions,
  type McpListenOptions,
  type McpToolServer,
} from './create-mcp-server.ts'
export type { HttpListener } from './open-http-listener.ts'
export type { McpApproval } from './served-tools.ts'
export type { McpResource, McpResourceContents, McpResourceTemplate } from './mcp-results.ts'
export type {
  McpCallResult,
  McpCompletion,
  McpCompletionResult,
  McpContent,
  McpPrompt,
  McpPromptResult,
} from './mcp-results.ts'
export type {
  McpHttpDefinition,
  McpServerDefinition,
  McpServerFields,
  McpStdioDefinition,
} from './mcp-server-definition.ts'
export type { McpEvent } from './mcp-event.ts'
export type {
  McpAuth,
  McpAuthFields,
  McpAuthTarget,
  McpBrowserAuth,
  McpClientCredentialsAuth,
  McpEnterpriseAuth,
  McpJwtBearerAuth,
} from './mcp-auth.ts'
export type {
  McpClientFeatures,
  McpElicitation,
  McpElicitationAnswer,
  McpRoot,
  McpSampling,
  McpSamplingRequest,
} from './mcp-client-features.ts'
export type { McpCredentials, McpKey, McpTokens, McpTokenStore } from './mcp-token-store.ts'
export { createFileTokenStore } from './file-token-store.ts'
export { createMemoryTokenStore } from './memory-token-store.ts'
export { showInBrowser } from './show-in-browser.ts'
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
export type { McpTraceContext } from './mcp-trace-context.ts'
export { mcpTools, type McpToolHost } from './mcp-tools.ts'
export { openMcpServer, type OpenMcpServerOptions } from './open-mcp-server.ts'
export {
  openMcpServers,
  type McpServers,
  type McpServersReport,
  type OpenMcpServersOptions,
} from './open-mcp-servers.ts'
export { parseMcpConfig, type ParseMcpConfigOptions } from './parse-mcp-config.ts'
