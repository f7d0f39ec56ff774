// An agent finds a page, reads it, and uses tools for web, APIs, arithmetic, dates and text.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageText } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { calculator } from '@parley/tools/math'
import { createGuardedFetch, createNetworkGuard } from '@parley/tools/network'
import { openApiTools, parseOpenApi } from '@parley/tools/openapi'
import { createTextTools } from '@parley/tools/text'
import { createTimeTools } from '@parley/tools/time'
import { createWebTools, type SearchEngine } from '@parley/tools/web'

// A local server replaces the internet: a page to read and an API to call.
const server = createServer((request, response) => {
  if (request.url === '/ferry') {
    response.setHeader('content-type', 'text/html')
    response.end('<title>Ferry</title><h1>Fares</h1><p>A crossing costs <b>12.50</b> each.</p><script>track()</script>')
  } else {
    response.setHeader('content-type', 'application/json')
    response.end('{"free":41}')
  }
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const origin = `http://127.0.0.1:${port}`

// The guard blocks loopback addresses unless they are allowed.
const guard = createNetworkGuard({ allow: [`127.0.0.1:${port}`] })
const engine: SearchEngine = {
  name: 'own',
  search: async () => [{ title: 'Ferry', url: `${origin}/ferry`, snippet: 'Fares and times.' }],
}
const seats = parseOpenApi(`
openapi: 3.1.0
info: { title: seats, version: '1' }
paths:
  /seats/{day}:
    get:
      operationId: free_seats
      summary: Returns the number of free seats on a day.
      parameters: [{ name: day, in: path, required: true, schema: { type: string } }]
`)
const model = scriptedModel([
  { toolCalls: [{ name: 'web_search', input: { query: 'ferry fares' } }] },
  { toolCalls: [{ name: 'read_webpage', input: { url: `${origin}/ferry` } }] },
  {
    toolCalls: [
      { name: 'calculator', input: { expression: '3 * 12.50' } },
      { name: 'date_math', input: { operation: 'add', start: '2026-02-27', days: 2 } },
      { name: 'free_seats', input: { day: '2026-03-01' } },
      { name: 'text_stats', input: { text: 'Three seats, please.' } },
      { name: 'fetch_url', input: { url: 'http://localhost/admin' } },
    ],
  },
  'Three crossings on 1 March cost 37.50; 41 seats are free.',
])
const agent = defineAgent({
  name: 'desk',
  model,
  tools: [
    calculator,
    ...createTimeTools(),
    ...createTextTools(),
    ...createWebTools({ engine, guard }),
    openApiTools(seats, { baseUrl: origin, fetch: createGuardedFetch({ guard }) }),
  ],
})
await using runtime = createRuntime({ agents: [agent] })

const { text, messages } = await runtime.invoke('desk', 'What do three of us pay for the ferry on 1 March?')
const results = messages.filter(message => message.role === 'tool').map(messageText)
assert.match(results[0] ?? '', /^1\. Ferry/)
assert.match(results[1] ?? '', /# Fares\n\nA crossing costs \*\*12\.50\*\* each\./)
assert.ok(!results[1]?.includes('track'))
console.log(results[2]) // → 37.5
console.log(results[3]) // → 2026-03-01 (Sunday, UTC)
console.log(results[4]) // → {"free":41}
console.log(results[5]?.split('\n')[1]) // → words: 3
assert.match(results[6] ?? '', /^Cannot fetch http:\/\/localhost\/admin/)
console.log(text) // → Three crossings on 1 March cost 37.50; 41 seats are free.
server.close()
