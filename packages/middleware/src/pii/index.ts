export { createMemoryVault, type MemoryVaultOptions } from './create-memory-vault.ts'
export { createPiiMask, type PiiMask, type PiiMaskOptions } from './create-pii-mask.ts'
export { findPii, PII_KINDS, type PiiKind, type PiiSpan } from '@parley/core/masking'
export { type PiiVault } from './pii-vault.ts'
