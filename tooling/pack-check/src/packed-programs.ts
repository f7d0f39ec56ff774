/** A program that runs with the packed packages, outside of the repository. */
export interface PackedProgram {
  /** What a user builds. */
  readonly name: string
  /** Folder with the program, from the root of the repository. All its files are copied, without manifests and packages. */
  readonly folder: string
  /** The file to run. A test file runs under vitest, any other file under Node.js, where it prints the lines that it announces. */
  readonly files: readonly string[]
}

/** The programs of new users. Each is an example of the repository that also runs there, with the sources. */
export const PACKED_PROGRAMS: readonly PackedProgram[] = [
  { name: 'agent', folder: 'examples/first-agent', files: ['first-agent.example.ts'] },
  { name: 'support bot', folder: 'examples/support-bot', files: ['support-bot.example.ts'] },
  { name: 'research workflow', folder: 'examples/research-workflow', files: ['research-workflow.example.ts'] },
  { name: 'chat handlers', folder: 'examples/chat-handlers', files: ['chat-handlers.example.ts'] },
  {
    name: 'own provider and store',
    folder: 'examples/own-parts/src',
    files: ['acme.test.ts', 'open-own-store.test.ts'],
  },
  { name: 'MCP both ways', folder: 'packages/mcp/examples', files: ['create-mcp-server.example.ts'] },
  { name: 'prompty', folder: 'examples/prompt-file', files: ['prompt-file.example.ts'] },
  { name: 'YAML', folder: 'examples/config-file', files: ['config-file.example.ts'] },
  { name: 'any runtime', folder: 'examples/any-runtime', files: ['any-runtime.example.ts'] },
]

/** The program for other platforms than Node.js. */
export const PLATFORM_PROGRAM = { main: 'any-runtime.example.ts', worker: 'worker.ts', expected: 'It is 5. (2 turns)' }

/** Packages of other authors that the programs import, as a user installs them. */
export const PROGRAM_DEPENDENCIES: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '1',
  '@types/express': '5',
  'better-sqlite3': '13',
  '@types/better-sqlite3': '9',
  express: '5',
  'fast-check': '4',
  hono: '4',
  vitest: '5',
  zod: '4',
}
