import { ParleyError } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { createServerApp, hashApiKey, type ContextRequest } from '@parley/server'

const agents = [defineAgent({ name: 'assistant', model: createDemoModel() })]
const store = createMemoryStore()
const runtime = createRuntime({ agents, store })
const keys = [{ name: 'alice', scope: 'acme', hash: hashApiKey('a-long-and-random-key') }]

// #region context
const LOCALES = ['de', 'en']

function contextOf({ scope, principal, given }: ContextRequest): { tenant: string; user: string; locale: string } {
  // What the client may choose is checked. Everything else comes from its key or token.
  const { locale = 'en' } = (given ?? {}) as { locale?: unknown }
  if (typeof locale !== 'string' || !LOCALES.includes(locale))
    throw new ParleyError({
      code: 'request-invalid',
      path: 'context.locale',
      detail: `must be one of ${LOCALES.join(', ')}`,
    })
  return { tenant: scope, user: principal?.id ?? 'anonymous', locale }
}
const app = createServerApp({ runtime, keys, context: contextOf })
// #endregion

const ask = (context: object): Promise<Response> =>
  app.fetch(
    new Request('http://localhost/process', {
      method: 'POST',
      headers: { authorization: 'Bearer a-long-and-random-key' },
      body: JSON.stringify({
        input: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        stream: false,
        context,
      }),
    }),
  )
console.log((await ask({ locale: 'de' })).status) // → 200
console.log((await ask({ locale: 'fr' })).status) // → 400
const [run] = await store.runs({ scope: 'acme' })
const [started] = await store.read(run?.runId ?? '')
if (started?.type === 'run.started') console.log(JSON.stringify(started.context)) // → {"tenant":"acme","user":"alice","locale":"de"}
