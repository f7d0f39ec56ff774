import { ParleyError } from '@parley/core'
import { createHttp, fieldsOf, listOf, type Http, type HttpFetch } from '@parley/provider-kit'
import { keyHeaderOf } from './key-header-of.ts'
import { fromModelList, type ListedModel } from '../endpoints/list-models.ts'
import { profileOfUrl, quirkProfiles, type QuirkProfileName } from './quirk-profiles.ts'
import { listClues, placeClues } from './server-clues.ts'

export interface IdentifyServerOptions {
  /** Address of the API, up to where `/chat/completions` is added. */
  readonly baseUrl: string
  /** Sent with each request. @default none */
  readonly apiKey?: string | undefined
  /** @default platformFetch() of `@parley/provider-kit` */
  readonly fetch?: HttpFetch | undefined
  readonly signal?: AbortSignal | undefined
}

/** What is behind an address. */
export interface ServerIdentity {
  /** The quirk profile that fits; `generic` when nothing speaks for another. */
  readonly profile: QuirkProfileName
  /** What speaks for it, as a clause. */
  readonly evidence: string
  /** What the server says it has; empty when it does not say. */
  readonly models: readonly ListedModel[]
}

const TIMEOUTS = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 20_000 }

/**
 * Finds out which profile fits a server of OpenAI's shape, with at most five requests, none of which asks a model.
 * @throws `ParleyError` with a `model-…` code when the server cannot be reached or refuses the key; `config-invalid` for a base
 * URL that is none.
 */
export async function identifyServer({
  baseUrl,
  apiKey,
  fetch,
  signal,
}: IdentifyServerOptions): Promise<ServerIdentity> {
  const byUrl = profileOfUrl(baseUrl)
  const common = {
    provider: byUrl,
    headers: keyHeaderOf(apiKey, quirkProfiles[byUrl]),
    fetch,
    timeouts: TIMEOUTS,
    retry: { maxRetries: 0 },
  }
  const list = await askIfThere(createHttp({ ...common, baseUrl }), 'models', signal)
  const models = fromModelList(list)
  // A service of its own address is that service, whatever its models are called.
  if (quirkProfiles[byUrl].keyVariable !== undefined) return { profile: byUrl, evidence: 'by its address', models }
  const entries = listOf(fieldsOf(list)?.['data']).map(entry => fieldsOf(entry) ?? {})
  const clue = listClues.find(({ holds }) => entries.some(holds))
  if (clue !== undefined) return { profile: clue.profile, evidence: `its list of models ${clue.words}`, models }
  const root = createHttp({ ...common, baseUrl: new URL(baseUrl).origin })
  for (const { profile, path, holds } of placeClues) {
    const body = fieldsOf(await askIfThere(root, path, signal))
    if (body !== undefined && holds(body)) return { profile, evidence: `it answers at /${path}`, models }
  }
  const evidence = byUrl === 'generic' ? 'nothing speaks for another' : 'by its port'
  return { profile: byUrl, evidence, models }
}

/** The document at a path; undefined when the server has none there. */
async function askIfThere(http: Http, path: string, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await http.json({ method: 'GET', path, signal })
  } catch (error) {
    const isAbsent = ParleyError.is(error) && ABSENT.has(error.code)
    if (isAbsent) return undefined
    throw error
  }
}

// Servers answer an unknown path with any status, or with a page of their own.
const ABSENT: ReadonlySet<string> = new Set([
  'model-not-found',
  'model-invalid-request',
  'model-permission',
  'model-server',
  'model-stream',
])
