// #region guard
import { createNetworkGuard } from '@parley/tools/network'
import { createSearxngEngine, createWebTools } from '@parley/tools/web'

const guard = createNetworkGuard({ allow: ['docs.internal', '10.20.0.0/16'], deny: ['tracker.example'] })
const web = createWebTools({ guard, engine: createSearxngEngine({ baseUrl: 'http://localhost:8888' }) })
console.log(web.map(tool => tool.name).join(', ')) // → fetch_url, read_webpage, web_search

function refusalOf(url: string): string {
  try {
    return guard.check(url).href
  } catch (error) {
    return (error as Error).message
  }
}
console.log(refusalOf('http://docs.internal/start')) // → http://docs.internal/start
console.log(refusalOf('http://[::ffff:7f00:1]/')) // → Cannot fetch http://[::ffff:7f00:1]/: it leads to this machine, a private network or another address that is not public. Use a public address.
// #endregion
