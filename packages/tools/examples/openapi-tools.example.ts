import type { ToolContext } from '@parley/core'
// #region tools
import { openApiTools, parseOpenApi } from '@parley/tools/openapi'

const document = parseOpenApi(`
openapi: 3.1.0
info: { title: shop, version: '1' }
servers: [{ url: https://shop.example/v1 }]
paths:
  /orders/{order}:
    get:
      operationId: get_order
      summary: Shows the state of an order.
      parameters: [{ name: order, in: path, required: true, schema: { type: integer } }]
    delete: { operationId: cancel_order, summary: Cancels an order. }
`)
// Replaces the network in this example. In an application, omit it or use createGuardedFetch({ guard: createNetworkGuard() }).
const fetch = async (url: unknown): Promise<Response> => Response.json({ asked: String(url), state: 'sent' })
await using shop = openApiTools(document, { fetch, auth: { type: 'bearer', token: 'secret' }, namePrefix: 'shop' })

const tools = await shop.tools()
for (const { name, effect } of tools) console.log(name, effect)
// → shop__get_order read
// → shop__cancel_order idempotent
// #endregion
const result = await tools[0]?.execute({ order: 7 }, { signal: new AbortController().signal } as ToolContext)
console.log(JSON.stringify(result)) // → {"type":"ok","content":[{"type":"text","text":"{\"asked\":\"https://shop.example/v1/orders/7\",\"state\":\"sent\"}"}]}
