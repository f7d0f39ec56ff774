import type { Recipe } from './recipe.ts'

const MIDDLEWARE = '[middleware](../guides/middleware.md)'

export const SAFETY_RECIPES: readonly Recipe[] = [
  {
    slug: 'guards',
    title: 'Check input, output and tool results',
    text: 'Guards stop off-topic questions, block tool calls, and remove instructions that a web page hides in its text.',
    example: 'examples/guarded-agent/guarded-agent.example.ts',
    more: [MIDDLEWARE],
  },
  {
    slug: 'personal-data',
    title: 'Keep personal data out of models and journals',
    text: 'Personal data is masked before it is stored or sent. Only the tool receives the real value, also in another process.',
    example: 'examples/masked-clerk/masked-clerk.example.ts',
    more: ['[erase a person](../operate/erase-a-person.md)', MIDDLEWARE],
  },
  {
    slug: 'steady-agent',
    title: 'Rate limit, retries, cache, budget and timeouts',
    text: 'Each middleware does one thing. The first in the list sees a call first and its result last.',
    example: 'examples/steady-agent/steady-agent.example.ts',
    more: [MIDDLEWARE, '[limits](../operate/limits.md)'],
  },
  {
    slug: 'fallback',
    title: 'Use a second model when the first one fails',
    text: '`fallback` calls the next model after an outage, an overload, a rate limit, a broken stream or a timeout.',
    example: 'packages/providers/kit/examples/fallback.example.ts',
    regions: ['fallback'],
    more: ['[provider kit](../guides/provider-kit.md)'],
  },
  {
    slug: 'files-and-commands',
    title: 'Files and commands within a workspace',
    text: 'File tools stay below the roots of a workspace. The shell tool runs what its policy allows, and asks first.',
    example: 'packages/tools/examples/file-tools.example.ts',
    regions: ['tools'],
    more: ['[tools](../guides/tools.md)', '[`path-refused`](../errors/path-refused.md)'],
  },
]
