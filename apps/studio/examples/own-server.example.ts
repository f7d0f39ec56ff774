import { createDemoModel } from '@parley/demo-model'
import { createRuntime, defineAgent } from '@parley/engine'
import { openServer } from '@parley/server'
import { openSqliteStore } from '@parley/sqlite'
import { studioAssets } from '@parley/studio'

await using store = await openSqliteStore({ path: ':memory:' })
const runtime = createRuntime({ store, agents: [defineAgent({ name: 'assistant', model: createDemoModel() })] })
// `access` is what clients without keys may do. With keys, each key states its own.
await using server = await openServer({ runtime, studio: await studioAssets(), access: 'operator', port: 0 })

const page = await fetch(`${server.url}/studio/`)
console.log(page.status, page.headers.get('content-type')) // → 200 text/html; charset=utf-8
