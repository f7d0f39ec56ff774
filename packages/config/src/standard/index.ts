export { standardRegistry, type StandardRegistryOptions } from './standard-registry.ts'
