export { compileSchema, type Validate, type Validation } from './compile-schema.ts'
export { isRecord, sameJson } from './same-json.ts'
export { toLatestDraft } from './to-latest-draft.ts'
