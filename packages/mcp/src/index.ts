export { agentsAsTools, type AgentsAsToolsOptions } from './server/agents-as-tools.ts'
export type { McpAgent, McpAgentHost, McpAgentResult, McpAgentRun } from './server/mcp-agent-host.ts'
export {
  createMcpServer,
  type CreateMcpServerOptions,
  type McpListenOptions,
  type McpToolServer,
} from './server/create-mcp-server.ts'
export type { HttpListener } from './server/open-http-listener.ts'
export type { McpCompleter, McpServedArgument, McpServedArguments } from './server/mcp-served-argument.ts'
export type { McpServedPrompt } from './server/serve-prompts.ts'
export type { McpResourceData, McpServedResource } from './server/serve-resources.ts'
export type { McpApproval } from './server/run-served-tool.ts'
export type { McpResource, McpResourceContents, McpResourceTemplate } from './client/mcp-results.ts'
export type { McpCompletion, McpCompletionResult, McpPrompt, McpPromptResult } from './client/mcp-results.ts'
export type { McpCallResult, McpContent } from './tools/mcp-tool-host.ts'
export type {
  McpHttpDefinition,
  McpServerDefinition,
  McpServerFields,
  McpStdioDefinition,
} from './config/mcp-server-definition.ts'
export type { McpEvent, McpServerStatus, McpToolListDiff } from '@parley/core'
export type {
  McpAuth,
  McpAuthFields,
  McpAuthTarget,
  McpBrowserAuth,
  McpClientCredentialsAuth,
  McpEnterpriseAuth,
  McpJwtBearerAuth,
} from './config/mcp-auth.ts'
export type {
  McpClientFeatures,
  McpElicitation,
  McpElicitationAnswer,
  McpRoot,
  McpSampling,
  McpSamplingRequest,
} from './features/mcp-client-features.ts'
export type { McpCredentials, McpKey, McpTokens, McpTokenStore } from './auth/mcp-token-store.ts'
export { createFileTokenStore } from './auth/file-token-store.ts'
export { createMemoryTokenStore } from './auth/memory-token-store.ts'
export { showInBrowser } from './auth/show-in-browser.ts'
export type { McpLogLevel, McpServer, McpServerInfo } from './client/mcp-server.ts'
export type { McpCallOptions, McpProgress, McpRequestOptions, McpWaitOptions } from './tools/mcp-tool-host.ts'
export type { McpStopReport } from './transport/server-link.ts'
export type { McpToolInfo } from './tools/mcp-tool-host.ts'
export type { McpNameCollision, McpToolOptions } from './config/mcp-tool-options.ts'
export type { McpTraceContext } from './client/request-meta.ts'
export { mcpTools } from './tools/mcp-tools.ts'
export type { McpToolHost } from './tools/mcp-tool-host.ts'
export { openMcpServer, type OpenMcpServerOptions } from './client/open-mcp-server.ts'
export {
  openMcpServers,
  type McpServers,
  type McpServersReport,
  type OpenMcpServersOptions,
} from './client/open-mcp-servers.ts'
export { parseMcpConfig, toMcpDefinition, type ParseMcpConfigOptions } from './config/parse-mcp-config.ts'
