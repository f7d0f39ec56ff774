import { serve, tool } from './serve.mjs'

// argv[2] === 'stubborn': ignores SIGTERM as well.
if (process.argv[2] === 'stubborn') process.on('SIGTERM', () => {})
setInterval(() => {}, 60_000)
serve({ tools: () => [tool('wait')] })
