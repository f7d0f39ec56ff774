/** A client that the tests drive, and where it comes from. */
export interface TestedClient {
  /** npm packages that tests of the client import or start. Empty if the client is not on npm. */
  readonly packages: readonly string[]
  /** Version and form of a client that is not on npm. @default none: the version of the first package */
  readonly recorded?: string | undefined
}

/** The clients of the table in `CLIENTS.md`. */
export const CLIENTS = {
  'openai SDK': { packages: ['openai'] },
  useChat: { packages: ['@ai-sdk/react', 'ai'] },
  'AI SDK with its OpenAI provider': { packages: ['@ai-sdk/openai'] },
  'AG-UI client': { packages: ['@ag-ui/client'] },
  CopilotKit: { packages: ['@copilotkit/core'] },
  'OpenAI Agents SDK': { packages: ['@openai/agents-core'] },
  LangChain: { packages: ['@langchain/openai'] },
  'reference web UI': { packages: [], recorded: '1.1.50, its requests and a model of its reader' },
  'reference Python client': { packages: [], recorded: '1.1.5, its requests and a model of its reader' },
  'MCP SDK': { packages: ['@modelcontextprotocol/sdk'] },
  'MCP inspector': { packages: ['@modelcontextprotocol/inspector'] },
} as const satisfies Readonly<Record<string, TestedClient>>

export type ClientName = keyof typeof CLIENTS

/** What each client is tested for. */
export const CASES = [
  'stream',
  'tools',
  'client tools',
  'approval yes',
  'approval no',
  'stop',
  'resume',
  'regenerate',
  'failure',
  'retry storm',
] as const

export type ClientCell = `${ClientName}: ${(typeof CASES)[number]}`

/** Why a client has no such case, or what the case is for this client. */
export const NOTES: Partial<Readonly<Record<ClientCell, string>>> = {
  'AI SDK with its OpenAI provider: approval yes':
    'Over the Responses API. A chat completion has no approvals: it fails with a sentence that says so, and the run stays suspended.',
  'AI SDK with its OpenAI provider: resume': 'The provider cannot read an existing response.',
  'AG-UI client: resume':
    'The protocol has no request that reads a run. A client with the header `Idempotency-Key` sends the run again.',
  'CopilotKit: stream':
    'The core of CopilotKit with the AG-UI client of its own version. Its runtime passes requests of browsers to the same client.',
  'CopilotKit: resume':
    'The core reads an existing run only from its own runtime. With the header `Idempotency-Key` it sends the run again.',
  'OpenAI Agents SDK: approval yes':
    'Over the Responses API, with `hostedMcpTool` whose `serverLabel` is the name of the agent and whose `serverUrl` is an address of this server.',
  'OpenAI Agents SDK: stop':
    'The stream ends. A response continues, as `onDisconnect` says, and is cancelled by a request; a chat completion is cancelled.',
  'OpenAI Agents SDK: resume': 'From the serialized state of the SDK. The SDK cannot read the stream of an existing response.',
  'LangChain: approval yes': 'Over the Responses API. A chat completion fails as with the AI SDK.',
  'LangChain: resume': 'LangChain cannot read an existing response.',
  'reference web UI: client tools': 'The web UI brings no tools and draws no such call. An answer that waits for a result ends, and the page can send the result.',
  'reference web UI: resume': 'The web UI cannot read an existing response.',
  'reference web UI: regenerate': 'Its request does not say that it replaces an answer, so the new answer follows the first one.',
  'reference Python client: resume': 'The Python client cannot read an existing response.',
  'reference Python client: regenerate': 'As in the web UI.',
  'MCP SDK: stream': 'The steps of the run are progress of the call.',
  'MCP SDK: client tools': 'MCP clients bring no tools. A run that waits for one fails the call and names the run.',
  'MCP SDK: approval yes': 'The approver of the server decides about a tool. A run that is suspended for approval fails the call.',
  'MCP SDK: resume': 'The server sends no event ids, so a client cannot read the answer of a lost connection.',
  'MCP SDK: regenerate': 'Calls have no conversation. A second call is a run of its own.',
  'MCP inspector: stream': 'The command line prints results only.',
  'MCP inspector: client tools': 'As in the MCP SDK.',
  'MCP inspector: stop':
    'In the revision 2026-07-28. In earlier ones a closed connection does not cancel a call, and the command line sends nothing else.',
  'MCP inspector: resume': 'Each command is one call.',
  'MCP inspector: regenerate': 'As above.',
}

/**
 * Options of a test that drives the server with clients. `CLIENTS.md` has a cell for each client and case, and
 * `clients-table.test.ts` reads the calls of this function from the sources.
 */
export function covers(...cells: readonly ClientCell[]): { readonly meta: { readonly cells: readonly ClientCell[] } } {
  return { meta: { cells } }
}

declare module 'vitest' {
  interface TaskMeta {
    /** The cells of `CLIENTS.md` that the test backs. */
    cells?: readonly ClientCell[]
  }
}
