export { createUndiciFetch, type UndiciFetchOptions } from './create-undici-fetch.ts'
