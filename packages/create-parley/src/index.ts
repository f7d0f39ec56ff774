export { addToProject, type AdditionOptions } from './add-to-project.ts'
export { PROVIDERS, STORES, namesOf, type Part, type ProviderName, type StoreName } from './choices.ts'
export { SetupError } from './setup-error.ts'
export type { Parts } from './resolve-dependencies.ts'
