/* oxlint-disable import/no-default-export -- Bun and Cloudflare Workers call the default export */
// #region server
import { createDemoModel } from '@parley/demo-model' // or: createOpenAI({ apiKey }).model('gpt-5-mini') from '@parley/openai'
import { createRuntime, defineAgent } from '@parley/engine'

const agent = defineAgent({ name: 'assistant', model: createDemoModel() })

const server = {
  async fetch(request: Request): Promise<Response> {
    await using runtime = createRuntime({ agents: [agent] })
    const question = new URL(request.url).searchParams.get('q') ?? 'What can you do?'
    const { text } = await runtime.run('assistant', question, { signal: request.signal }).orThrow()
    return new Response(text)
  },
}
export default server
// #endregion

const response = await server.fetch(new Request('http://localhost/?q=What+is+2%2B2%3F'))
console.log(response.status) // → 200
