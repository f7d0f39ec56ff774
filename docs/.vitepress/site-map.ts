/** A link of the navigation, or a group of links. */
interface Item {
  readonly text: string
  readonly link?: string
  readonly items?: Item[]
}

function pages(folder: string, titles: Readonly<Record<string, string>>): Item[] {
  return Object.entries(titles).map(([page, text]) => ({ text, link: `/${folder}/${page}` }))
}

const START = pages('start', {
  index: 'What Parley is',
  node: 'Node.js',
  hono: 'Hono',
  express: 'Express',
  nextjs: 'Next.js',
  workers: 'Cloudflare Workers',
  bun: 'Bun',
  'deno-and-browser': 'Deno and the browser',
  'without-a-key': 'Without a key',
})

const CONCEPTS = pages('concepts', {
  journal: 'The journal',
  effects: 'Effects and resume',
  approvals: 'Approvals',
  context: 'The context',
  sessions: 'Sessions and scopes',
})

const GUIDES: Item[] = [
  {
    text: 'Agents',
    items: pages('guides', {
      'create-parley': 'New projects',
      engine: 'Engine',
      core: 'Core',
      tools: 'Tools',
      middleware: 'Middleware',
      'context-policies': 'Context policies',
      workflow: 'Workflows',
      config: 'Configuration files',
      prompty: 'Prompty files',
    }),
  },
  {
    text: 'Models',
    items: pages('guides', {
      openai: 'OpenAI',
      anthropic: 'Anthropic',
      google: 'Google',
      ollama: 'Ollama',
      'demo-model': 'Demo model',
      'provider-kit': 'Provider kit',
    }),
  },
  {
    text: 'Stores and hosts',
    items: pages('guides', {
      sqlite: 'SQLite',
      postgres: 'PostgreSQL',
      'memory-store': 'In memory',
      'store-sql': 'SQL kit',
      restate: 'Restate',
    }),
  },
  {
    text: 'Servers and protocols',
    items: pages('guides', {
      server: 'Server',
      cli: 'Command line',
      mcp: 'MCP',
      'agent-api': 'Agent API',
      encoders: 'Encoders',
      'runs-api': 'Runs API',
      studio: 'Studio',
    }),
  },
  {
    text: 'Watch and test',
    items: pages('guides', { otel: 'OpenTelemetry', 'event-bus': 'Event bus', testing: 'Testing', evals: 'Evals' }),
  },
]

const OPERATE = pages('operate', {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  restate: 'Restate',
  upgrade: 'Upgrade',
  backup: 'Backup',
  'erase-a-person': 'Erase a person',
  observe: 'Observe',
  limits: 'Limits',
  capacity: 'Operating figures',
  figures: 'Measured figures',
})

const CONNECT = pages('connect', {
  'use-chat': 'useChat',
  'ag-ui': 'AG-UI',
  openai: 'OpenAI SDKs',
  mcp: 'MCP',
  prompty: 'Prompty',
  'agent-api': 'Agent API',
})

const MOVE = pages('move-from', {
  'ai-sdk': 'AI SDK',
  mastra: 'Mastra',
  langgraph: 'LangGraph',
  'openai-agents': 'OpenAI Agents',
})

const OWN = pages('write-your-own', {
  provider: 'Provider',
  store: 'Store',
  tool: 'Tool',
  middleware: 'Middleware',
  host: 'Host',
})

/** The links at the top of each page. */
export const nav: { readonly text: string; readonly link: string }[] = [
  { text: 'Start', link: '/start/' },
  { text: 'Concepts', link: '/concepts/journal' },
  { text: 'Recipes', link: '/recipes/' },
  { text: 'Guides', link: '/guides/engine' },
  { text: 'Errors', link: '/errors/' },
  { text: 'API', link: '/api/' },
]

/** The links beside the pages of each folder. */
export const sidebar: Readonly<Record<string, Item[]>> = {
  '/guides/': GUIDES,
  '/': [
    { text: 'Start', items: START },
    { text: 'Concepts', items: CONCEPTS },
    { text: 'Connect', items: CONNECT },
    { text: 'Operate', items: OPERATE },
    { text: 'Write your own', items: OWN },
    { text: 'Move from', items: MOVE },
    {
      text: 'Reference',
      items: [
        { text: 'Recipes', link: '/recipes/' },
        { text: 'Guides', link: '/guides/engine' },
        { text: 'API', link: '/api/' },
        { text: 'Events', link: '/events' },
        { text: 'Errors', link: '/errors/' },
        { text: 'Changed names', link: '/migration' },
      ],
    },
  ],
}
