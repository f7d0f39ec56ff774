// Like servers on old SDKs: exits on any request before `initialize` or, with argv[2] === 'silent', does not answer it.
import { serve } from './serve.mjs'

serve({ handlers: { 'server/discover': () => (process.argv[2] === 'silent' ? undefined : process.exit(1)) } })
