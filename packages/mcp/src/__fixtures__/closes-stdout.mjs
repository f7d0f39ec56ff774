import { closeSync } from 'node:fs'
import { serve, tool } from './serve.mjs'

setInterval(() => {}, 60_000)
serve({ tools: () => [tool('mute')], handlers: { 'tools/call': () => closeSync(1) } })
