import { createRunsClient, type RunsClient } from '@parley/runs-api'
import { accessKey } from './access-key.ts'

let client: { readonly key: string | undefined; readonly runs: RunsClient } | undefined

/** The client of the server that this page comes from, with the key of this tab. */
export function runsClient(): RunsClient {
  const key = accessKey()
  if (client === undefined || client.key !== key) {
    client = { key, runs: createRunsClient({ baseUrl: location.origin, key }) }
  }
  return client.runs
}
