// The adapter of providers-adapter.mjs with undici as the HTTP client.
import { createUndiciFetch } from '@parley/provider-kit/undici'
import { complete as completeBy } from './providers-adapter.mjs'

const fetch = createUndiciFetch()

export const complete = (provider, baseUrl, opts) => completeBy(provider, baseUrl, { ...opts, fetch })
