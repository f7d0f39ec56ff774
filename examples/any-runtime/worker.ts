// oxlint-disable-next-line import/no-default-export -- workerd calls the default export
export { worker as default }
import { answer } from './agent.ts'

const worker = {
  fetch: async (): Promise<Response> => new Response(await answer('What is 2 + 3?')),
}
