import { readFile } from 'node:fs/promises'
import { ParleyError } from '@parley/core'
import { parseUiMessageRequest, toResponse } from '@parley/encoders/ai-sdk-ui'
import type { Runtime } from '@parley/engine'
import { Hono } from 'hono'

const page = new URL('../public/index.html', import.meta.url)

/** Serves the page, and the chat that `useChat` of the AI SDK and the page speak. */
export function createApp(runtime: Runtime): Hono {
  const app = new Hono()
  app.get('/', async context => context.html(await readFile(page, 'utf8')))
  app.post('/api/chat', async context => {
    const { input, history, sessionId } = parseUiMessageRequest(await context.req.json())
    return toResponse(runtime.run('assistant', input, { history, sessionId, signal: context.req.raw.signal }))
  })
  app.onError((error, context) => {
    const isRequest = error instanceof SyntaxError || (ParleyError.is(error) && error.code === 'request-invalid')
    return context.json({ error: isRequest ? error.message : 'The server failed.' }, isRequest ? 400 : 500)
  })
  return app
}
