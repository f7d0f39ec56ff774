// Like servers on old SDKs: any request before `initialize` ends it or, with argv[2] === 'silent', gets no answer.
import { serve } from './serve.mjs'

serve({ handlers: { 'server/discover': () => (process.argv[2] === 'silent' ? undefined : process.exit(1)) } })
