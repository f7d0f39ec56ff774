export { createResponseCache, type CacheLookup, type ResponseCacheOptions } from './create-response-cache.ts'
