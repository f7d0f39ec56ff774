/** A template, with the store that fits it best. */
export interface Template {
  readonly hint: string
  readonly store: StoreName
}

/** A part that a project chooses: a provider or a store. */
export interface Part {
  readonly hint: string
  readonly package: string
  /** Lines of `.env.example`. */
  readonly env: readonly string[]
}

export const TEMPLATES = {
  minimal: { hint: 'an agent with two tools', store: 'sqlite' },
  chat: { hint: 'a chat server with a web page', store: 'sqlite' },
  worker: { hint: 'durable workers whose runs survive crashes and wait for approval', store: 'postgres' },
  mcp: { hint: 'an MCP server with a tool and an agent', store: 'memory' },
  workflow: { hint: 'a workflow of two agents', store: 'sqlite' },
} as const satisfies Readonly<Record<string, Template>>

export const PROVIDERS = {
  demo: { hint: 'follows simple rules, needs no key', package: '@parley/demo-model', env: [] },
  openai: { hint: 'GPT, or a server of that shape', package: '@parley/openai', env: ['OPENAI_API_KEY='] },
  anthropic: { hint: 'Claude', package: '@parley/anthropic', env: ['ANTHROPIC_API_KEY='] },
  google: { hint: 'Gemini', package: '@parley/google', env: ['GEMINI_API_KEY='] },
  ollama: { hint: 'models on this machine', package: '@parley/ollama', env: [] },
} as const satisfies Readonly<Record<string, Part>>

export const STORES = {
  memory: { hint: 'until the process ends', package: '@parley/memory-store', env: [] },
  sqlite: { hint: 'a file on this machine', package: '@parley/sqlite', env: ['PARLEY_DB=.parley/runs.db'] },
  postgres: {
    hint: 'a database for workers on several machines',
    package: '@parley/postgres',
    env: ['DATABASE_URL=postgres://postgres:parley@127.0.0.1:5432/parley'],
  },
} as const satisfies Readonly<Record<string, Part>>

export type TemplateName = keyof typeof TEMPLATES
export type ProviderName = keyof typeof PROVIDERS
export type StoreName = 'memory' | 'sqlite' | 'postgres'

/** The names of a table, typed. */
export function namesOf<TName extends string>(table: Readonly<Record<TName, unknown>>): readonly TName[] {
  return Object.keys(table) as TName[]
}
