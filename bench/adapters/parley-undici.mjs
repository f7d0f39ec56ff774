// The same agent; its provider makes its requests by undici.
import { createAgent as createParleyAgent, load } from './parley.mjs'

export const meta = { name: 'parley-undici', peer: null, models: ['http'] }

const { createUndiciFetch } = await load('providers/kit', 'undici')

export const createAgent = options => createParleyAgent({ ...options, fetch: createUndiciFetch() })
