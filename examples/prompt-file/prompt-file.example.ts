// A prompt file with an OpenAPI tool becomes a durable agent. The host implements the tool kind.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
// #region openapi
import { createPrompty, createNodeFiles } from '@parley/prompty/node'
import { openApiTools, parseOpenApi } from '@parley/tools/openapi'

const files = createNodeFiles()
const { load, toAgent } = createPrompty({
  toolKinds: {
    // The document is below the prompt's folder. Base address and token come from the tool's connection.
    openapi: async ({ name, specification }, { connection }) => {
      const document = await files.readReference(String(specification), { from: path })
      const { baseUrl, apiKey: token } = connection
      const auth = token === undefined ? undefined : ({ type: 'bearer', token } as const)
      return openApiTools(parseOpenApi(new TextDecoder().decode(document)), { name, baseUrl, auth, fetch })
    },
    // mcp: ({ serverName }) => openMcpServer(…) of '@parley/mcp'
  },
})
// #endregion

const directory = await mkdtemp(join(tmpdir(), 'parley-example-'))
const path = join(directory, 'orders.prompty')
await writeFile(
  join(directory, 'shop.yaml'),
  `openapi: 3.1.0
info: { title: shop, version: '1' }
paths:
  /orders/{order}:
    get:
      operationId: get_order
      summary: Returns the state of an order.
      parameters: [{ name: order, in: path, required: true, schema: { type: integer } }]
`,
)
await writeFile(
  path,
  `---
name: orders
model: gpt-4o
inputs:
  question: Where is my order?
tools:
  - name: shop
    kind: openapi
    specification: shop.yaml
    connection: { kind: key, endpoint: https://shop.example/v1, apiKey: secret }
---
system:
Answer from the shop's API alone.
user:
{{question}}
`,
)

const requests: string[] = []
async function fetch(...call: ConstructorParameters<typeof Request>): Promise<Response> {
  const { url, headers } = new Request(...call)
  requests.push(`${url} ${headers.get('authorization')}`)
  return Response.json({ state: 'sent' })
}
const model = scriptedModel([{ toolCalls: [{ name: 'get_order', input: { order: 7 } }] }, 'Order 7 is on its way.'])
// #region agent
await using agent = await toAgent(await load(path), { model })
await using runtime = createRuntime({ store: createMemoryStore(), agents: [agent] })

const { text, turns } = await runtime.invoke('orders', 'Where is order 7?')
console.log(turns, text) // → 2 Order 7 is on its way.
// #endregion
console.log(requests.join()) // → https://shop.example/v1/orders/7 Bearer secret
assert.equal(model.requests[0]?.system[0]?.text, "Answer from the shop's API alone.")
// The model never sees the credential.
assert.ok(!JSON.stringify(model.requests).includes('secret'))
await rm(directory, { recursive: true })
