// A list that never ends; with argv[2] === 'slow' a page takes 200 ms.
import { serve, tool } from './serve.mjs'

serve({
  handlers: {
    'tools/list': async ({ cursor = '0' }) => {
      if (process.argv[2] === 'slow') await new Promise(resolve => setTimeout(resolve, 200))
      return { tools: [tool(`tool${cursor}`)], nextCursor: String(Number(cursor) + 1) }
    },
  },
})
