import type { Recipe } from './recipe.ts'

export const SERVICE_RECIPES: readonly Recipe[] = [
  {
    slug: 'serve',
    title: 'Serve an agent over HTTP',
    text: 'One server speaks the Agent API, the OpenAI APIs, AG-UI and AI SDK UI messages.',
    example: 'apps/server/examples/open-server.example.ts',
    regions: ['serve', 'ask'],
    more: ['[server](../guides/server.md)', '[connect](../connect/openai.md)'],
  },
  {
    slug: 'chat-handlers',
    title: 'A chat endpoint in Hono, Express or a plain function',
    text: 'A request becomes the input of a run, and the run becomes an HTTP response that `useChat` reads.',
    example: 'examples/chat-handlers/chat-handlers.example.ts',
    more: ['[useChat](../connect/use-chat.md)', '[encoders](../guides/encoders.md)'],
  },
  {
    slug: 'mcp-tools',
    title: 'Use the tools of an MCP server',
    text: 'The tools of a server become tools of an agent: filtered, renamed, and with the effects that the server declares.',
    example: 'packages/mcp/examples/open-mcp-server.example.ts',
    regions: ['server'],
    more: ['[MCP](../connect/mcp.md)'],
  },
  {
    slug: 'agents-over-mcp',
    title: 'Offer agents as tools of an MCP server',
    text: 'Each agent of a runtime becomes a tool. Its steps are reported as progress of the call.',
    example: 'packages/mcp/examples/agents-as-tools.example.ts',
    regions: ['agents'],
    more: ['[MCP](../connect/mcp.md)'],
  },
  {
    slug: 'openapi-tools',
    title: 'Tools from an OpenAPI document',
    text: 'Each operation of a document becomes a tool. The model never sees the credential.',
    example: 'packages/tools/examples/openapi-tools.example.ts',
    regions: ['tools'],
    more: ['[tools](../guides/tools.md)'],
  },
  {
    slug: 'observe',
    title: 'Logs, an audit log and OpenTelemetry spans',
    text: 'One run is shown as log lines, as an audit log that reveals changes, and as spans.',
    example: 'examples/observed-agent/observed-agent.example.ts',
    more: ['[observe](../operate/observe.md)', '[OpenTelemetry](../guides/otel.md)'],
  },
  {
    slug: 'test-an-agent',
    title: 'Test an agent without a model',
    text: '`scriptedModel` gives the answers of a script and records every request. `fakeClock` moves time by hand.',
    example: 'packages/testing/examples/scripted-model.example.ts',
    regions: ['model'],
    more: ['[testing](../guides/testing.md)'],
  },
]
