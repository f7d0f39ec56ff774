import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import {
  createHttp,
  fieldsOf,
  listOf,
  toKeyHeader,
  type Http,
  type HttpFetch,
  type ListedModel,
} from '@parley/provider-kit'
import { readModels } from '../endpoints/model-list.ts'
import { profileOfUrl, quirkProfiles, type QuirkProfileName } from './quirk-profiles.ts'
import { listClues, placeClues } from './server-clues.ts'

export interface IdentifyServerOptions {
  /** Address of the API, to which `/chat/completions` is added. */
  readonly baseUrl: string
  /** Key that is sent with each request. @default none */
  readonly apiKey?: string | undefined
  /** Sends the requests. @default createPlatformFetch() of `@parley/provider-kit` */
  readonly fetch?: HttpFetch | undefined
  readonly signal?: AbortSignal | undefined
}

/** The server behind an address. */
export interface ServerIdentity {
  /** The quirk profile that fits; `generic` without evidence for another. */
  readonly profile: QuirkProfileName
  /** The evidence for the profile, as a clause. */
  readonly evidence: string
  /** The models that the server lists; empty if it does not list any. */
  readonly models: readonly ListedModel[]
}

const TIMEOUTS = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 20_000 }

const OPTIONS: OptionKinds<IdentifyServerOptions> = {
  baseUrl: 'string!',
  apiKey: 'string',
  fetch: 'function',
  signal: 'signal',
}

/**
 * Determines the profile of an OpenAI-compatible server. Sends at most five requests, none of them to a model.
 * @throws `ParleyError` with a `model-…` code if the server cannot be reached or rejects the key; `config-invalid` if the base
 * URL is invalid.
 */
export async function identifyServer(options: IdentifyServerOptions): Promise<ServerIdentity> {
  checkOptions('identifyServer', options, OPTIONS)
  const { baseUrl, apiKey, fetch, signal } = options
  const byUrl = profileOfUrl(baseUrl)
  const common = {
    provider: byUrl,
    headers: toKeyHeader(apiKey, quirkProfiles[byUrl].keyHeader),
    fetch,
    timeouts: TIMEOUTS,
    retry: { maxRetries: 0 },
  }
  const list = await fetchIfPresent(createHttp({ ...common, baseUrl }), 'models', signal)
  const models = readModels(list)
  // A known service is identified by its address. Its models may have any names.
  if (quirkProfiles[byUrl].keyVariable !== undefined) return { profile: byUrl, evidence: 'by its address', models }
  const entries = listOf(fieldsOf(list)?.['data']).map(entry => fieldsOf(entry) ?? {})
  const clue = listClues.find(({ holds }) => entries.some(holds))
  if (clue !== undefined) return { profile: clue.profile, evidence: `its list of models ${clue.words}`, models }
  const root = createHttp({ ...common, baseUrl: new URL(baseUrl).origin })
  for (const { profile, path, holds } of placeClues) {
    const body = fieldsOf(await fetchIfPresent(root, path, signal))
    if (body !== undefined && holds(body)) return { profile, evidence: `it answers at /${path}`, models }
  }
  const evidence = byUrl === 'generic' ? 'without evidence for another profile' : 'by its port'
  return { profile: byUrl, evidence, models }
}

/** Requests the document at a path; `undefined` if the server has none. */
async function fetchIfPresent(http: Http, path: string, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await http.json({ method: 'GET', path, signal })
  } catch (error) {
    const isAbsent = ParleyError.is(error) && ABSENT.has(error.code)
    if (isAbsent) return undefined
    throw error
  }
}

// Servers answer an unknown path with various statuses, or with an HTML page.
const ABSENT: ReadonlySet<string> = new Set([
  'model-not-found',
  'model-invalid-request',
  'model-permission',
  'model-server',
  'model-stream',
])
