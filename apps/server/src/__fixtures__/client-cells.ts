/** A client that the tests drive, and where it comes from. */
export interface TestedClient {
  /** npm packages that tests of the client import. Empty if the client is not on npm. */
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
  'OpenAI Agents SDK': { packages: ['@openai/agents'] },
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
