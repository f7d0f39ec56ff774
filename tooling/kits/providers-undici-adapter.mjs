// The adapter of providers-adapter.mjs with requests that go through undici.
import { createUndiciFetch } from '@parley/provider-kit/undici'
import { complete as completeBy } from './providers-adapter.mjs'

const fetch = createUndiciFetch()

export const complete = (provider, baseUrl, opts) => completeBy(provider, baseUrl, { ...opts, fetch })
