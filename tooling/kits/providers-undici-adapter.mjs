// The same adapter; the providers make their requests by undici.
import { createUndiciFetch } from '@parley/provider-kit/undici'
import { complete as completeBy } from './providers-adapter.mjs'

const fetch = createUndiciFetch()

export const complete = (provider, baseUrl, opts) => completeBy(provider, baseUrl, { ...opts, fetch })
